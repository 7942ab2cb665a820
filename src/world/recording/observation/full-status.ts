import { hiddenBy } from '../../../core/git/setting-changes.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import {
  type GitStatusEntry,
  gitStatus,
  gitStatusByWholeStat,
  parseStatusLine,
  untrackedBy,
} from '../../../core/git/status.ts'
import { nulSeparated } from '../../../core/base/lines.ts'
import { inTurns } from './turns.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { savedExcludes } from './git-settings.ts'
import type { WorktreeState } from './worktree-state.ts'

// Git's status by the settings that a person chose. As long as nobody else has changed them, it is git's own.

/** Git's status of the whole tree. */
export async function fullStatus(workspace: Workspace, state: WorktreeState): Promise<readonly GitStatusEntry[]> {
  return withHidden(workspace, state, await askInTurns(workspace, gitStatus))
}

// Of a large tree, the answer takes long to read.
async function askInTurns({ git }: Workspace, { args }: GitQuery<GitStatusEntry[]>): Promise<GitStatusEntry[]> {
  const entries: GitStatusEntry[] = []
  for await (const lines of inTurns(nulSeparated(await git.bytes(args))))
    for (const line of lines) entries.push(...parseStatusLine(line))
  return entries
}

/** As `fullStatus`, for a status that git has printed already. */
export async function withHidden(
  workspace: Workspace,
  state: WorktreeState,
  printed: readonly GitStatusEntry[],
): Promise<readonly GitStatusEntry[]> {
  const hidden = hiddenBy(state.settings?.standing ?? [])
  const status = hidden.changed ? await askInTurns(workspace, gitStatusByWholeStat) : printed
  return hidden.created ? withCreated(status, await untrackedPaths(workspace, [])) : status
}

/** As `withHidden`, for a status of some paths. */
export async function withHiddenPaths(
  workspace: Workspace,
  state: WorktreeState,
  { paths, printed }: { readonly paths: readonly string[]; readonly printed: readonly GitStatusEntry[] },
): Promise<readonly GitStatusEntry[]> {
  const isHidden = paths.length > 0 && hiddenBy(state.settings?.standing ?? []).created
  return isHidden ? withCreated(printed, await untrackedPaths(workspace, paths)) : printed
}

/** Those of some directories that a person's git ignores, of those that git ignores. */
export async function ignoredByPerson(
  workspace: Workspace,
  state: WorktreeState,
  directories: readonly string[],
): Promise<string[]> {
  if (directories.length === 0 || !hiddenBy(state.settings?.standing ?? []).created) return [...directories]
  const untracked = await untrackedPaths(workspace, directories, ['--directory'])
  const isBelow = (one: string, other: string): boolean => `${one}/`.startsWith(`${other.replace(/\/$/, '')}/`)
  return directories.filter(it => !untracked.some(found => isBelow(it, found) || isBelow(found, it)))
}

function untrackedPaths(workspace: Workspace, paths: readonly string[], options: readonly string[] = []) {
  return workspace.git.ask(untrackedBy(savedExcludes(workspace), { paths, options }))
}

function withCreated(status: readonly GitStatusEntry[], untracked: readonly string[]): readonly GitStatusEntry[] {
  const known = new Set(status.map(it => it.path))
  const created = untracked.filter(it => !known.has(it) && !it.endsWith('/'))
  return [...status, ...created.map(path => ({ path, kind: 'untracked' as const }))]
}
