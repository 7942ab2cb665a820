import { judgeNewCommits } from './judge-new-commits.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Judges the commits made so far. Call it before a session begins or ends: live sessions count in the judgement. */
export async function tryJudgeNewCommits(workspace: Workspace): Promise<void> {
  // The next command that reads the ledger judges again, and reports the failure.
  await judgeNewCommits(workspace).catch(() => [])
}
