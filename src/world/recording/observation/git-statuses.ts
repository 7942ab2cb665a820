import { type GitStatusEntry, gitStatusOf } from '../../../core/git/status.ts'
import { gitWorkedSince } from '../git-evidence/git-evidence.ts'
import type { GitEvidence } from '../git-evidence/evidence.ts'
import { hiddenByNewFiles } from '../../io/git/ignore-sources.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { fullStatus, withHiddenPaths } from './full-status.ts'
import { mayHideNew, trackedIn } from './new-ignore-files.ts'
import { inTurns } from './turns.ts'
import type { WorktreeState } from './worktree-state.ts'

type StatusContext = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  readonly evidence: Pick<GitEvidence, 'intervals'>
}

/**
 * How git sees each of the paths that are not simply clean or ignored. `stableStats` has the signature of each file,
 * null for one that is gone; git is not asked about what these say already.
 */
export async function gitStatuses(
  { workspace, state, evidence }: StatusContext,
  {
    paths,
    stableStats,
  }: {
    readonly paths: readonly string[]
    readonly stableStats: ReadonlyMap<string, string | null | undefined> | undefined
  },
): Promise<Map<string, GitStatusEntry['kind']>> {
  const statuses = new Map<string, GitStatusEntry['kind']>()
  const hasGitWorkedSince = gitWorkedSince(evidence)
  for await (const part of inTurns(paths))
    for (const path of part) {
      const { git, at } = state.paths.get(path) ?? {}
      // Who edits on does not change what it is to git.
      const isSame = typeof stableStats?.get(path) === 'string' && at !== undefined && !hasGitWorkedSince(at)
      if (git !== undefined && isSame) statuses.set(path, git)
      if (stableStats?.get(path) === null && isWatchedByGit(state, path)) statuses.set(path, 'dirty')
    }
  const others = paths.filter(path => !statuses.has(path))
  const printed = await askStatus(workspace, state, others)
  for (const { path, kind } of printed) statuses.set(path, kind)
  const ignored = others.filter(it => !statuses.has(it) && !state.index.has(it) && stableStats?.get(it) !== null)
  if (mayHideNew(state, ignored))
    for (const it of await hiddenByNewFiles(workspace.root, ignored, trackedIn(state))) statuses.set(it, 'untracked')
  return statuses
}

// Git says no more of such a file than that the index has it, once it is gone.
function isWatchedByGit({ index }: WorktreeState, path: string): boolean {
  return index.has(path) && index.flagOf(path) === null
}

// Git compares each path of its index with each path that is asked for, so many paths cost less among all.
async function askStatus(
  workspace: Workspace,
  state: WorktreeState,
  paths: readonly string[],
): Promise<readonly GitStatusEntry[]> {
  if (paths.length === 0) return []
  const asked = new Set(paths)
  if (paths.length > PATHS_PER_CALL) return (await fullStatus(workspace, state)).filter(it => asked.has(it.path))
  return withHiddenPaths(workspace, state, { paths, printed: await workspace.git.ask(gitStatusOf(paths)) })
}

// Paths are at most 4 KiB, and a command line at least 128 KiB on every system that git runs on; most are far shorter.
const PATHS_PER_CALL = 500
