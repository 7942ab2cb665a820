import { judgeNewCommits } from './judge-new-commits.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Judges what was committed until now by who lives here now, before that changes. */
export async function tryJudgeNewCommits(workspace: Workspace): Promise<void> {
  // What can't be judged now is judged, and what is wrong with it told, by whoever reads the ledger next.
  await judgeNewCommits(workspace).catch(() => [])
}
