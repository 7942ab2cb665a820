import { join } from 'node:path'
import { headOid } from '../git/head-oid.ts'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { isRebasing } from './git-operation.ts'
import { readJudgedTips } from './judged-tips.ts'
import { hasHookReports, type HookReports, drainHookQueue } from './hook-queue.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * Judges the commits that are new in this worktree, and records each broken rule: what got in by `--no-verify`, by
 * `KOTEF=0`, by plumbing or in a flow that runs no pre-commit does not pass unseen. Each is judged once in a clone.
 */
export async function judgeNewCommits(workspace: Workspace): Promise<TraceRecord[]> {
  const { shared } = layoutOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  if (!isSetUp) return []
  // During a rebase git reports each commit before it reports which commit it rewrote, and an abort drops all of them.
  if ((await gather(workspace, isRebasing(workspace))) || !(await hasNewCommits(workspace))) return []
  // Most often there is nothing to judge, and what judges takes its time to load.
  const { judgeReportedCommits } = await import('./judge-reported-commits.ts')
  const records: TraceRecord[] = []
  const judge = async (reports: HookReports) => {
    for (const each of await judgeReportedCommits(workspace, reports)) records.push(each)
  }
  const lock = join(shared, 'judged.lock')
  await withLock(lock, () => drainHookQueue(workspace, judge), { waitMsMax: JUDGED_LOCK_WAIT_MS_MAX })
  return records
}

// Another worktree's judgement may be of many commits.
const JUDGED_LOCK_WAIT_MS_MAX = 30_000

async function hasNewCommits(workspace: Workspace): Promise<boolean> {
  if (await hasHookReports(workspace)) return true
  const head = await workspace.git.tryAsk(headOid)
  return head !== null && !(await readJudgedTips(workspace))?.includes(head)
}
