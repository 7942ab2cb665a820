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
import { JUDGED_LOCK_WAIT_MS_MAX } from '../timing/thresholds.ts'

/**
 * Judges the commits that are new in this worktree, and records each broken rule, so that commits made with
 * `--no-verify`, `KOTEF=0`, plumbing or a command that runs no pre-commit are seen. A clone judges each commit once.
 */
export async function judgeNewCommits(workspace: Workspace): Promise<TraceRecord[]> {
  const { shared } = layoutOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  if (!isSetUp) return []
  // During a rebase git reports each commit before it reports which commit it rewrote, and an abort drops all of them.
  if ((await gather(workspace, isRebasing(workspace))) || !(await hasNewCommits(workspace))) return []
  // Loaded here, because there is seldom something to judge and the module is slow to load.
  const { judgeReportedCommits } = await import('./judge-reported-commits.ts')
  const records: TraceRecord[] = []
  const judge = async (reports: HookReports) => {
    for (const each of await judgeReportedCommits(workspace, reports)) records.push(each)
  }
  const lock = join(shared, 'judged.lock')
  await withLock(lock, () => drainHookQueue(workspace, judge), { waitMsMax: JUDGED_LOCK_WAIT_MS_MAX })
  return records
}

async function hasNewCommits(workspace: Workspace): Promise<boolean> {
  if (await hasHookReports(workspace)) return true
  const head = await workspace.git.tryAsk(headOid)
  return head !== null && !(await readJudgedTips(workspace))?.includes(head)
}
