import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ToolCall } from '../gate/parse-tool-call.ts'

/**
 * A call that only reads counts as opaque when it works in a folder with the files of a git directory: a clone can
 * bring one, and `git status` runs there what its config names. The folder in which it starts is `cwd`.
 */
export async function withEnteredGitDirs(call: ToolCall, cwd: string): Promise<ToolCall> {
  const { shell } = call
  if (shell?.kind !== 'read') return call
  const isKnown = shell.folders.length <= FOLDERS_MAX
  for (const it of isKnown ? enteredFolders(shell.folders, cwd) : [])
    if (await isInGitDir(it)) return { ...call, shell: { ...shell, kind: 'opaque', why: RUNS_CONFIG } }
  return isKnown ? call : { ...call, shell: { ...shell, kind: 'opaque', why: 'it enters many folders' } }
}

const RUNS_CONFIG = 'git takes a folder that it enters for a repository, and may run what the config there names'

// Each one doubles the folders to look at: it may be relative to any of those before it.
const FOLDERS_MAX = 6

function enteredFolders(names: readonly string[], cwd: string): ReadonlySet<string> {
  const folders = new Set([cwd])
  for (const name of names)
    for (const from of [...folders]) folders.add(resolve(from, name.replace(/^~(?=\/|$)/, homedir())))
  return folders
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

// As git decides it; the directory of a linked worktree names another one in place of these two.
async function hasFilesOfGit(folder: string): Promise<boolean> {
  if (!(await isThere(join(folder, 'HEAD')))) return false
  const [objects, refs, common] = await Promise.all(
    ['objects', 'refs', 'commondir'].map(it => isThere(join(folder, it))),
  )
  return common === true || (objects === true && refs === true)
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
