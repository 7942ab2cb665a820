import { isOlderVersion, neededVersion } from '../../../core/intents/needed-version.ts'
import { VERSION } from '../../io/files/package.ts'
import { join } from 'node:path'
import { isUtf8 } from 'node:buffer'
import {
  CONFIG_PATH,
  INTENTIGNORE_PATH,
  intentFilesIn,
  INTENTS_FOLDER,
  isRegistryPath,
  PROJECT_POLICY_PATH,
  REGISTRY_PATH,
} from '../../../core/base/governance-files.ts'
import { type Config, type HandoverGates, readConfig } from '../../../core/intents/config.ts'
import { dayOf } from '../../../core/intents/enforcement.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import { registryParts, registryText } from '../../../core/intents/registry-text.ts'
import { readRegistry } from '../../../core/intents/registry.ts'
import { systemErrorCode } from '../../io/files/files.ts'
import { plural } from '../../../core/base/printable.ts'
import { type FailureCode, KotefError } from '../../../core/base/failure.ts'
import type { Problem } from '../../../core/base/finding.ts'
import { problemLine } from '../../../core/report/finding-lines.ts'
import type { PolicySource } from '../../../core/intents/scope/compiled-policy.ts'
import { type Policy, policyOn } from '../../../core/intents/scope/policy.ts'
import { hasConflictMarkers } from '../../../core/rules/policy-flaw.ts'
import { handoverGatesOf, policyOf, type PolicySources } from '../../../core/rules/policy-of-sources.ts'
import { policyTextsAtHead, readHead, textsAtHead } from '../../io/worktree/head.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The registry in the worktree. Throws every problem of a damaged one at once. */
export function loadRegistry(workspace: Workspace): Promise<ReadRegistry> {
  return readRegistryOf(onDisk(workspace))
}

type ReadRegistry = { readonly text: string; readonly intents: readonly Intent[] }

async function readRegistryOf(files: OpenFiles): Promise<ReadRegistry> {
  const list = await textIn(files, REGISTRY_PATH)
  if (list === null) throw new KotefError('registry-missing', `There is no ${REGISTRY_PATH}.`)
  // A file that is removed meanwhile is empty here, and so a problem.
  const partAt = async (path: string) => ({ path, text: (await textIn(files, path)) ?? '' })
  const text = registryText(list, await Promise.all((await files.ofIntents()).map(partAt)))
  const { intents, problems } = readRegistry(text)
  if (problems.length > 0) refuseNewer((await textIn(files, CONFIG_PATH)) ?? '')
  if (problems.length > 0) refuseConflict(text)
  refuseProblems('registry-invalid', REGISTRY_PATH, problems)
  return { text, intents }
}

/** Throws where a config is of a newer kotef, of which this one may not know all forms in it and in the registry. */
export function refuseNewer(config: string): void {
  const needed = neededVersion(config)
  if (needed === null || !isOlderVersion(VERSION, needed)) return
  throw new KotefError('version-needed', `This repository needs kotef ${needed} or newer, and this is ${VERSION}.`)
}

function refuseConflict(registry: string): void {
  const part = registryParts(registry).find(it => hasConflictMarkers(it.text))
  if (!part) return
  throw new KotefError('registry-invalid', `${part.path} has conflict markers: git could not merge it.`, {
    hint: `Keep the intents of both sides, remove the markers, and run \`git add ${part.path}\``,
  })
}

/** The config in the worktree; the defaults when there is none. */
export function loadConfig(workspace: Workspace): Promise<Config> {
  return readConfigOf(onDisk(workspace))
}

async function readConfigOf(files: OpenFiles): Promise<Config> {
  const text = await textIn(files, CONFIG_PATH)
  refuseNewer(text ?? '')
  const { config, problems } = readConfig(text)
  refuseProblems('config-invalid', CONFIG_PATH, problems)
  return config
}

/** Who may answer the questions of gates in a handover. */
export async function loadHandoverGates(workspace: Workspace): Promise<HandoverGates> {
  const config = await loadConfig(workspace)
  return handoverGatesOf(config, [null, ...(await textsAtHead(workspace, [CONFIG_PATH]))])
}

/** The policy that judges paths in this worktree: the worktree's policy, never wider than HEAD's. */
export async function loadPolicy(workspace: Workspace): Promise<Policy> {
  return policyOn(dayOf(workspace.clock.now()), policyOf(await readPolicySources(workspace)))
}

/**
 * All that the policy of this worktree follows from. Each file is read once, or not at all where its content is known,
 * and one process of git reads those of HEAD. Throws every problem of a damaged registry, or else of a damaged config.
 */
export async function readPolicySources(
  workspace: Workspace,
  known: readonly PolicySource[] | null = null,
): Promise<PolicySources> {
  const files = known ? alreadyRead(workspace, known) : onDisk(workspace)
  const { intents } = await readRegistryOf(files)
  return {
    intents,
    config: await readConfigOf(files),
    markdown: await textIn(files, PROJECT_POLICY_PATH),
    ignore: await textIn(files, INTENTIGNORE_PATH),
    isTeam: (await workspace.files.modifiedAt(layoutOf(workspace).intents)) !== null,
    // First the commit: then HEAD can't have moved between the two without being found out.
    headOid: await readHead(workspace),
    head: await policyTextsAtHead(workspace),
  }
}

/** The policy's files in a worktree, by their paths below its top. */
type OpenFiles = {
  readonly root: string
  ofIntents(): Promise<string[]>
  read(path: string): Promise<Uint8Array | null>
}

function onDisk({ root, files }: Workspace): OpenFiles {
  return {
    root,
    ofIntents: async () => intentFilesIn(await files.list(join(root, INTENTS_FOLDER))),
    read: path => files.read(join(root, path)),
  }
}

function alreadyRead({ root }: Workspace, known: readonly PolicySource[]): OpenFiles {
  const contents = new Map(known)
  return {
    root,
    ofIntents: async () => known.map(([path]) => path).filter(it => it.startsWith(`${INTENTS_FOLDER}/`)),
    read: async path => contents.get(path) ?? null,
  }
}

async function textIn(files: OpenFiles, path: string): Promise<string | null> {
  const [code, place] = [
    isRegistryPath(path) ? 'registry-unreadable' : 'policy-unreadable',
    join(files.root, path),
  ] as const
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw new KotefError(code, `${place} can't be read: ${readFailure(cause)}.`, { cause })
  })
  if (bytes && !isUtf8(bytes)) throw new KotefError(code, `${place} is not UTF-8 text.`)
  return bytes && Buffer.from(bytes).toString('utf8')
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
