import { constants } from 'node:fs'
import { access, lstat, realpath, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFolderWritable } from '../hook-file.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { AgentSetup } from './agent-setups.ts'
import { type AgentFile, promptAgentFile } from './agent-file.ts'
import { announceOwnWrite } from '../../io/worktree/own-writes.ts'
import { CONFIG_PATH } from '../../../core/base/governance-files.ts'
import { withGlobs } from '../../../core/intents/edit-yaml.ts'
import { closingList } from '../../../core/base/globs.ts'
import { loadConfig } from '../../intents/policy/load-policy.ts'

/** A file's present and planned text; null means that there is no file. */
export type AgentFileChange = {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly mode: number
}

/** The changes to write for agents, and the texts that a person has to paste. */
export type AgentFilesPlan = {
  readonly changes: readonly AgentFileChange[]
  readonly pastes: readonly { readonly path: string; readonly text: string }[]
}

/** Reads the files of these agents, and plans their changes. It writes nothing. */
export async function planAgentFiles(workspace: Workspace, agents: readonly AgentSetup[]): Promise<AgentFilesPlan> {
  const changes: AgentFileChange[] = []
  const pastes: { path: string; text: string }[] = []
  const files = new Map((await agentFilesOf(workspace, agents)).map(it => [it.path, it]))
  for (const part of files.values()) {
    const before = await readAgentFile(workspace, part.path)
    const after = part.add(before)
    if (typeof after !== 'string') pastes.push({ path: part.path, text: after.paste })
    else if (after !== before) changes.push({ path: part.path, before, after, mode: part.mode })
  }
  for (const { path } of changes) await requireWritableFile(workspace, path)
  return { changes, pastes }
}

/** The files of these agents that have entries of kotef's. */
export async function agentFilesOf(workspace: Workspace, agents: readonly AgentSetup[]): Promise<AgentFile[]> {
  const prompts = await Promise.all(agents.map(it => promptFileOf(workspace, it)))
  return [...agents.flatMap(it => it.files), ...[...new Set(prompts)].map(promptAgentFile)]
}

/** The prompt file of an agent: its own, unless that is a link to AGENTS.md or imports it. */
async function promptFileOf(workspace: Workspace, { prompt }: AgentSetup): Promise<string> {
  if (prompt === 'AGENTS.md') return (await isLinkTo(workspace, 'AGENTS.md', 'CLAUDE.md')) ? 'CLAUDE.md' : prompt
  if (await isLinkTo(workspace, prompt, 'AGENTS.md')) return 'AGENTS.md'
  const text = await readAgentFile(workspace, prompt)
  return /^\s*(?:[-*]\s+)?@(?:\.\/)?AGENTS\.md\s*$/m.test(text ?? '') ? 'AGENTS.md' : prompt
}

async function isLinkTo({ root }: Workspace, from: string, to: string): Promise<boolean> {
  const found = await lstat(join(root, from)).catch(() => null)
  return found?.isSymbolicLink() === true && (await realpath(join(root, from)).catch(() => '')) === join(root, to)
}

/** The text of a file in the worktree; null when there is none. Throws for a path with a symbolic link. */
export async function readAgentFile({ root, files }: Workspace, path: string): Promise<string | null> {
  for (let at = path; at !== '.'; at = dirname(at)) {
    const found = await lstat(join(root, at)).catch(() => null)
    if (found?.isSymbolicLink()) throw agentConfigError(`${at} is a symbolic link`, 'Replace it by its target')
    if (found && at !== path && !found.isDirectory()) throw agentConfigError(`${at} is not a folder`, 'Rename it')
    if (found?.isDirectory() && at === path) throw agentConfigError(`${at} is a folder`, 'Rename it')
  }
  const bytes = await files.read(join(root, path))
  const text = bytes?.toString('utf8') ?? null
  if (text === null || Buffer.from(text).equals(bytes ?? Buffer.of())) return text
  throw agentConfigError(`${path} is not UTF-8`, 'Convert it to UTF-8')
}

async function requireWritableFile({ root }: Workspace, path: string): Promise<void> {
  const file = join(root, path)
  const isThere = await stat(file).catch(() => null)
  const mayWrite = await access(file, constants.W_OK).then(
    () => true,
    () => !isThere,
  )
  if (mayWrite && (await isFolderWritable(dirname(file)))) return
  throw agentConfigError(`You may not write ${path}`, `See its permissions with \`ls -ld ${dirname(path)} ${path}\``)
}

function agentConfigError(problem: string, hint: string): KotefError {
  return new KotefError('agent-config', `${problem}: nothing was changed.`, {
    hint: `${hint}, and run \`kotef init\` again.`,
  })
}

/** Writes the planned changes. When one fails, the others are undone. */
export async function writeFileChanges(workspace: Workspace, changes: readonly AgentFileChange[]): Promise<void> {
  const done: AgentFileChange[] = []
  try {
    for (const change of changes) {
      done.push(change)
      await putFile(workspace, change)
    }
  } catch (thrown) {
    for (const it of done) await putFile(workspace, { ...it, after: it.before }).catch(() => {})
    throw thrown
  }
}

async function putFile(workspace: Workspace, { path, after, mode }: AgentFileChange): Promise<void> {
  const file = join(workspace.root, path)
  if (after === null) return removeFileAndFolders(workspace, path)
  const bytes = Buffer.from(after)
  await announceOwnWrite(workspace, bytes)
  const found = await stat(file).catch(() => null)
  // A file keeps the permissions that a person gave it.
  await workspace.files.replace(file, bytes, found ? (found.mode & 0o7777) | (mode & 0o111) : mode)
}

// Also removes the folders that become empty.
async function removeFileAndFolders({ root, files }: Workspace, path: string): Promise<void> {
  await files.remove(join(root, path))
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const isGone = await rmdir(join(root, at)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}

/**
 * Adds the agents' files to the governance list of a repository that has its own, because an agent must not be able to
 * remove its own hooks. Returns the changed files.
 */
export async function governAgentFiles(workspace: Workspace, paths: readonly string[]): Promise<string[]> {
  const isGoverned = closingList((await loadConfig(workspace)).governance)
  const missing = paths.filter(it => isGoverned(it)?.kind !== 'in')
  if (missing.length === 0) return []
  const before = (await workspace.files.read(join(workspace.root, CONFIG_PATH)))?.toString('utf8') ?? null
  const after = withGlobs(before ?? '', 'governance', missing)
  await writeFileChanges(workspace, [{ path: CONFIG_PATH, before, after, mode: 0o644 }])
  return [CONFIG_PATH]
}
