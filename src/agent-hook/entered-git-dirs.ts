import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ToolCall } from '../gate/parse-tool-call.ts'
import { disk } from '../io/files/files.ts'

/**
 * A call that only reads counts as opaque when it works in a folder with the files of a git directory: a clone can
 * bring one, and `git status` runs there what its config names. The folder in which it starts is `cwd`.
 */
export async function withEnteredGitDirs(call: ToolCall, cwd: string): Promise<ToolCall> {
  const { shell } = call
  const why = shell?.kind === 'read' ? await whyOpaqueIn(shell.folders, cwd) : null
  return shell && why !== null ? { ...call, shell: { ...shell, kind: 'opaque', why } } : call
}

async function whyOpaqueIn(names: readonly string[], cwd: string): Promise<string | null> {
  if (names.length > FOLDERS_MAX) return 'it enters many folders'
  for (const it of enteredFolders(names, cwd)) if (await isInGitDir(it)) return RUNS_CONFIG
  return null
}

const RUNS_CONFIG = 'git takes a folder that it enters for a repository, and may run what the config there names'

// Each one doubles the folders to look at: it may be relative to any of those before it.
const FOLDERS_MAX = 6

function enteredFolders(names: readonly string[], cwd: string): ReadonlySet<string> {
  const folders = new Set([cwd])
  for (const name of names) for (const from of [...folders]) folders.add(folderFrom(from, name))
  return folders
}

/** The folder that a shell goes to by a name, from a folder. */
export function folderFrom(from: string, name: string): string {
  return resolve(from, name.replace(/^~(?=\/|$)/, homedir()))
}

// True when git, started in a folder, finds a git directory that is not named `.git`: no clone brings one of that name.
async function isInGitDir(folder: string): Promise<boolean> {
  if (/(?:^|\/)\.git(?:\/|$)/.test(folder)) return false
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return false
    if (await hasFilesOfGit(at)) return true
    if (at === dirname(at)) return false
  }
}

// As git decides it; the directory of a linked worktree names another one in place of the other two.
async function hasFilesOfGit(folder: string): Promise<boolean> {
  const has = (name: string): Promise<boolean> => isThere(join(folder, name))
  return (await has('HEAD')) && ((await has('commondir')) || ((await has('objects')) && (await has('refs'))))
}

async function isThere(path: string): Promise<boolean> {
  return (await disk.modifiedAt(path).catch(() => null)) !== null
}
