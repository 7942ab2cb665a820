import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { GitQuery } from '../../core/git/query.ts'
import { repositoryPaths } from '../../core/git/worktrees.ts'
import type { ShellEffects } from '../../core/agents/gate/shell/effect.ts'
import { isWithin } from '../../world/io/files/real-path.ts'
import { locateWorktree } from '../../world/io/git/read-git-dir.ts'
import { askGitDirectly } from '../../world/io/git/run-git.ts'
import { folderFrom } from './folder-from.ts'
import { findTemporaryFolders, isRepository, temporaryFolderOf } from './temporary-folders.ts'

/**
 * Why a git command with remotes counts as opaque: a remote is a folder that an agent can write, and git runs its
 * hooks, or a program is run for its address. Null for remotes elsewhere. `from` has the folders in which it may run.
 */
export async function whyRemotesRun(loads: ShellEffects['loads'], from: ReadonlySet<string>): Promise<string | null> {
  const words = loads.flatMap(it => (it.what === 'repository of a remote' ? [it.path] : []))
  const tops = await Promise.all([...from].map(async folder => ({ folder, top: await topOf(folder) })))
  const isWritable = await writableTest(tops.flatMap(it => it.top ?? []))
  for (const { folder, top } of tops) {
    const addresses = (await askGitDirectly(folder, remoteAddresses)) ?? []
    if (addresses.some(it => /^[\w-]+::/.test(it))) return RUNS_PROGRAM
    // Git goes to the top of the worktree before it reads a relative address.
    const start = top ?? folder
    const isThere = (it: string, at: string): Promise<boolean> => isRepository(folderFrom(at, it))
    for (const it of words) {
      if ((isPath(it) || (await isThere(it, start))) && (await isWritable(it, start))) return RUNS_HOOKS
      if ((await isThere(it, folder)) && (await isWritable(it, folder))) return RUNS_HOOKS
    }
    for (const it of addresses.filter(isLocal)) if (await isWritable(it, start)) return RUNS_HOOKS
  }
  return null
}

const RUNS_HOOKS = 'a remote is a folder here, and git runs the hooks of that repository'
const RUNS_PROGRAM = "git runs a program for a remote's address"

const remoteAddresses: GitQuery<readonly string[]> = {
  args: ['config', '-z', '--get-regexp', '^(remote|branch|url)\\.'],
  parse: out => out.split('\0').flatMap(addressesIn),
}

/** The addresses in a setting; a branch may name a remote, which is none. */
function addressesIn(entry: string): string[] {
  const [, name = '', value = ''] = /^([^\n]*)\n?([^]*)$/.exec(entry) ?? []
  const [, base] = /^url\.([^]*)\.(?:push)?insteadof$/.exec(name) ?? []
  if (base !== undefined) return [base]
  if (/^remote\..*\.(?:push)?url$/.test(name)) return [value]
  return /^(?:branch\..*\.(?:push)?remote|remote\.pushdefault)$/.test(name) && value.includes('/') ? [value] : []
}

// A word of a command is more often the name of a remote or a branch.
function isPath(word: string): boolean {
  return /^(?:\.{0,2}\/|~\/|\.{1,2}$|file:)/.test(word)
}

// Neither `https://…` nor `host:path`.
function isLocal(address: string): boolean {
  return /^file:/i.test(address) || !/^[^/]*:/.test(address)
}

async function writableTest(roots: readonly string[]): Promise<(address: string, from: string) => Promise<boolean>> {
  const temporary = await findTemporaryFolders()
  return async (address, from) => {
    const path = /^file:/i.test(address) ? pathOfUrl(address) : folderFrom(from, address)
    const real = path === null ? null : await realpath(path).catch(() => path)
    if (real === null) return true
    return roots.some(it => it === real || isWithin(it, real)) || temporaryFolderOf(real, temporary) !== null
  }
}

async function topOf(folder: string): Promise<string | null> {
  return locateWorktree(folder)?.root ?? (await askGitDirectly(folder, repositoryPaths))?.[0] ?? null
}

function pathOfUrl(url: string): string | null {
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
