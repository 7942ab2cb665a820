import { isUtf8 } from 'node:buffer'
import { CONFIG_PATH, REGISTRY_PATH } from '../intents/paths.ts'
import { type Config, readConfig } from '../intents/config.ts'
import type { Intent } from '../intents/intent.ts'
import { readRegistry } from '../intents/registry.ts'
import { codeOf } from '../io/files.ts'
import { counted } from '../report/counted.ts'
import { type FailureCode, KotefError } from '../report/failure.ts'
import type { Problem } from '../report/finding.ts'
import { problemLine } from '../report/lines.ts'
import { effectivePolicy } from '../scope/effective.ts'
import { forbiddenPaths } from '../scope/forbidden.ts'
import type { Policy } from '../scope/policy.ts'
import { committedTexts } from './committed.ts'
import { POLICY_FILES } from '../scope/state.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** The registry as it stands in the worktree. A damaged one is refused with every problem at once. */
export async function loadRegistry(workspace: Workspace): Promise<{ text: string; intents: readonly Intent[] }> {
  const text = await textOf(workspace, placesOf(workspace).registry, 'registry-unreadable')
  if (text === null) throw new KotefError('registry-missing', `There is no ${REGISTRY_PATH}.`)
  const { intents, problems } = readRegistry(text)
  refuse('registry-invalid', REGISTRY_PATH, problems)
  return { text, intents }
}

/** The config as it stands in the worktree; every default when there is none. */
export async function loadConfig(workspace: Workspace): Promise<Config> {
  const { config, problems } = readConfig(await textOf(workspace, placesOf(workspace).config, 'policy-unreadable'))
  refuse('config-invalid', CONFIG_PATH, problems)
  return config
}

/** What every judgement of paths in this worktree goes by: the worktree's policy, never wider than HEAD's. */
export async function loadPolicy(workspace: Workspace): Promise<Policy> {
  const { intents } = await loadRegistry(workspace)
  const { governance } = await loadConfig(workspace)
  const { policy, intentignore } = placesOf(workspace)
  const tree = policyOf({
    intents,
    governance,
    markdown: await textOf(workspace, policy, 'policy-unreadable'),
    ignore: await textOf(workspace, intentignore, 'policy-unreadable'),
  })
  return effectivePolicy(tree, await committedPolicy(workspace))
}

async function committedPolicy(workspace: Workspace): Promise<Policy | null> {
  return policyOfTexts(await committedTexts(workspace, POLICY_FILES))
}

/**
 * The policy that a commit has, of the texts of its policy files; null when it has no registry. A registry that can't
 * be read names no scopes, so others' hold: else it could never be repaired.
 */
export function policyOfTexts(texts: readonly (string | null)[]): Policy | null {
  const [registry, config, markdown = null, ignore = null] = texts
  if (!registry) return null
  const { intents } = readRegistry(registry)
  return policyOf({ intents, governance: readConfig(config ?? null).config.governance, markdown, ignore })
}

function policyOf({ intents, governance, markdown, ignore }: PolicySources): Policy {
  return {
    intents: intents.map(({ id, name, status, owned_scope }) => ({ id, name, status, owned_scope })),
    governance,
    forbidden: forbiddenPaths(markdown ?? ''),
    intentignore: (ignore ?? '').split(/\r?\n/).filter(it => it.trim() !== '' && !it.startsWith('#')),
  }
}

type PolicySources = Pick<Policy, 'governance'> & {
  readonly intents: readonly Intent[]
  readonly markdown: string | null
  readonly ignore: string | null
}

async function textOf({ files }: Workspace, path: string, code: FailureCode): Promise<string | null> {
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw new KotefError(code, `${path} can't be read: ${reasonOf(cause)}.`, { cause })
  })
  if (bytes && !isUtf8(bytes)) throw new KotefError(code, `${path} is not UTF-8 text.`)
  return bytes?.toString('utf8') ?? null
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  ELOOP: 'it is a symbolic link in a circle',
}

function reasonOf(thrown: unknown): string {
  return REASONS[codeOf(thrown) ?? ''] ?? (thrown instanceof Error ? thrown.message : String(thrown))
}

function refuse(code: FailureCode, path: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  throw new KotefError(
    code,
    [`${path} has ${counted(problems.length, 'problem')}.`, ...problems.map(it => `  ${problemLine(it)}`)].join('\n'),
  )
}
