import { changesBetweenTrees, emptyTree, stagedChanges } from '../../core/git/changes.ts'
import { gitWithEnv } from '../io/git/git.ts'
import { runGit } from '../io/git/run-git.ts'
import { openScratchIndex, QUIET_CONFIG } from '../io/git/scratch-git.ts'
import { changedBetween, isWork, snapshotOf, type TreeSnapshot } from '../../core/lessons/tree-snapshot.ts'
import { readHead } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The files of the worktree as they are on the disk, without those that git ignores; null for very many changes. */
export async function takeSnapshot(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<TreeSnapshot | null> {
  await using scratch = await openScratchIndex(workspace, env)
  const add = [...QUIET_CONFIG, '-c', 'advice.addEmbeddedRepo=false', 'add', '--all', '--', ':/']
  await runGit(add, { cwd: workspace.root, env: scratch.env })
  const base = (await readHead(workspace)) ?? (await workspace.git.ask(emptyTree))
  const changes = await gitWithEnv(workspace.root, scratch.env).ask(stagedChanges(base))
  return changes.length > CHANGES_MAX ? null : snapshotOf(base, changes)
}

// More files than a lesson could be about.
const CHANGES_MAX = 5_000

/** The files of the work that changed between two snapshots, without those of kotef. */
export async function workBetween(
  { git }: Workspace,
  before: TreeSnapshot,
  after: TreeSnapshot,
): Promise<readonly string[]> {
  const isSame = before.base === after.base
  const committed = isSame ? [] : ((await git.tryAsk(changesBetweenTrees(before.base, after.base))) ?? [])
  return changedBetween(before, after, committed).filter(isWork)
}
