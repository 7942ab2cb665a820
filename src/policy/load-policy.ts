import { join } from 'node:path'
import { isUtf8 } from 'node:buffer'
import { CONFIG_PATH, intentFilesIn, REGISTRY_PATH } from '../paths/governance-files.ts'
import { type AgentFreedom, type Config, type HandoverGates, readConfig } from '../intents/config.ts'
import { choreLimits, type Intent, keepsBehaviour } from '../intents/intent.ts'
import { type RegistryPart, registryParts, registryText } from '../intents/registry-text.ts'
import { readRegistry } from '../intents/registry.ts'
import { systemErrorCode } from '../io/files/files.ts'
import { plural } from '../text/printable.ts'
import { type FailureCode, KotefError } from '../findings/failure.ts'
import type { Problem } from '../findings/finding.ts'
import { problemLine } from '../report/finding-lines.ts'
import { effectivePolicy, type Policy } from '../scope/policy.ts'
import { forbiddenPaths, readForbiddenPaths, type UnreadLine } from '../contract/forbidden-paths.ts'
import { LESSONS_FILES } from '../lessons/lessons-file.ts'
import { hasConflictMarkers } from '../rules/policy-flaw.ts'
import { policyTextsAtHead, textsAtHead } from '../worktree/head.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The registry in the worktree. Throws every problem of a damaged one at once. */
export async function loadRegistry(workspace: Workspace): Promise<{ text: string; intents: readonly Intent[] }> {
  const list = await readPolicyText(workspace, layoutOf(workspace).registry, 'registry-unreadable')
  if (list === null) throw new KotefError('registry-missing', `There is no ${REGISTRY_PATH}.`)
  const text = registryText(list, await intentFiles(workspace))
  const { intents, problems } = readRegistry(text)
  if (problems.length > 0) refuseConflict(text)
  refuseProblems('registry-invalid', REGISTRY_PATH, problems)
  return { text, intents }
}

function refuseConflict(registry: string): void {
  const part = registryParts(registry).find(it => hasConflictMarkers(it.text))
  if (!part) return
  throw new KotefError('registry-invalid', `${part.path} has conflict markers: git could not merge it.`, {
    hint: `Keep the intents of both sides, remove the markers, and run \`git add ${part.path}\``,
  })
}

// A file that is removed meanwhile is empty here, and so a problem.
async function intentFiles(workspace: Workspace): Promise<RegistryPart[]> {
  const paths = intentFilesIn(await workspace.files.list(layoutOf(workspace).intents))
  const textOf = (path: string) => readPolicyText(workspace, join(workspace.root, path), 'registry-unreadable')
  return Promise.all(paths.map(async path => ({ path, text: (await textOf(path)) ?? '' })))
}

/** The config in the worktree; the defaults when there is none. */
export async function loadConfig(workspace: Workspace): Promise<Config> {
  const { config, problems } = readConfig(
    await readPolicyText(workspace, layoutOf(workspace).config, 'policy-unreadable'),
  )
  refuseProblems('config-invalid', CONFIG_PATH, problems)
  return config
}

/** Which files outside every scope an agent may write: what the worktree's config allows, and HEAD's does not deny. */
export async function loadAgentFreedom(workspace: Workspace): Promise<AgentFreedom> {
  const { agents } = await loadConfig(workspace)
  const [committed] = await textsAtHead(workspace, [CONFIG_PATH])
  const head = readConfig(committed ?? null).config.agents
  const tighter = (key: keyof AgentFreedom) => (head[key] === 'deny' ? 'deny' : agents[key])
  return { temporary: tighter('temporary'), ignored: tighter('ignored') }
}

/** Who may answer the questions of gates in a handover: a person where the worktree's config says so, or HEAD's. */
export async function loadHandoverGates(workspace: Workspace): Promise<HandoverGates> {
  const { handover } = await loadConfig(workspace)
  const [committed] = await textsAtHead(workspace, [CONFIG_PATH])
  return readConfig(committed ?? null).config.handover.gates === 'person' ? 'person' : handover.gates
}

/** The policy that judges paths in this worktree: the worktree's policy, never wider than HEAD's. */
export async function loadPolicy(workspace: Workspace): Promise<Policy> {
  const { intents } = await loadRegistry(workspace)
  const config = await loadConfig(workspace)
  const { policy, intentignore, intents: folder } = layoutOf(workspace)
  const isTeam = (await workspace.files.modifiedAt(folder)) !== null
  const worktreePolicy = buildPolicy({
    intents,
    config,
    markdown: await readPolicyText(workspace, policy, 'policy-unreadable'),
    ignore: await readPolicyText(workspace, intentignore, 'policy-unreadable'),
  })
  const kept = isTeam ? { ...worktreePolicy, isTeam } : worktreePolicy
  return effectivePolicy(kept, policyFromTexts(await policyTextsAtHead(workspace)))
}

/** The lines of the worktree's KOTEF.md that seem to forbid a path, and do not. */
export async function loadUnreadLines(workspace: Workspace): Promise<readonly UnreadLine[]> {
  const markdown = await readPolicyText(workspace, layoutOf(workspace).policy, 'policy-unreadable')
  return readForbiddenPaths(markdown ?? '').unread
}

/**
 * The policy of a commit, from the texts of its policy files; null when it has no registry. A registry that can't be
 * parsed has no intents and so no scopes; if it threw, a commit could never repair it.
 */
export function policyFromTexts(texts: readonly (string | null)[]): Policy | null {
  const [registry, config, markdown = null, ignore = null] = texts
  if (!registry) return null
  const { intents } = readRegistry(registry)
  return buildPolicy({ intents, config: readConfig(config ?? null).config, markdown, ignore })
}

function buildPolicy({ intents, config, markdown, ignore }: PolicySources): Policy {
  const { governance, rides, bots, anchor, enforce, rules, lessons } = config
  return {
    intents: intents.map(policyIntent),
    governance,
    rides,
    bots,
    ...(lessons.file === 'CLAUDE.md' && { lessonsFile: LESSONS_FILES[lessons.file] }),
    ...(anchor === 'trailer' && { isAnchored: true }),
    enforcements: { enforce, rules },
    forbidden: forbiddenPaths(markdown ?? ''),
    intentignore: (ignore ?? '').split(/\r?\n/).filter(it => it.trim() !== '' && !it.startsWith('#')),
  }
}

function policyIntent(intent: Intent): Policy['intents'][number] {
  const { id, name, status, owned_scope } = intent
  const chores = choreLimits(intent)
  const kept = keepsBehaviour(intent) && { keepsBehaviour: true as const }
  return { id, name, status, owned_scope, ...(chores && { chores }), ...kept }
}

type PolicySources = {
  readonly config: Pick<Config, 'governance' | 'rides' | 'bots' | 'anchor' | 'enforce' | 'rules' | 'lessons'>
  readonly intents: readonly Intent[]
  readonly markdown: string | null
  readonly ignore: string | null
}

async function readPolicyText({ files }: Workspace, path: string, code: FailureCode): Promise<string | null> {
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw new KotefError(code, `${path} can't be read: ${readFailure(cause)}.`, { cause })
  })
  if (bytes && !isUtf8(bytes)) throw new KotefError(code, `${path} is not UTF-8 text.`)
  return bytes?.toString('utf8') ?? null
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  EFTYPE: 'it is not a regular file',
  ENXIO: 'it is not a regular file',
  EFBIG: 'it is larger than 1 MiB',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  ELOOP: 'it is a symbolic link in a circle',
}

function readFailure(thrown: unknown): string {
  return READ_FAILURES[systemErrorCode(thrown) ?? ''] ?? (thrown instanceof Error ? thrown.message : String(thrown))
}

function refuseProblems(code: FailureCode, path: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  throw new KotefError(
    code,
    [`${path} has ${plural(problems.length, 'problem')}.`, ...problems.map(it => `  ${problemLine(it)}`)].join('\n'),
  )
}
