import { join } from 'node:path'
import { countFiles } from '../../core/git/commit-graph.ts'
import { readHead } from '../io/worktree/head.ts'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { isRebasing } from '../../core/git/git-operation.ts'
import { drainHookQueue, hasHookReports, type HookReports, readJudgedTips } from './hook-queue.ts'
import { restoreLedger } from '../ledger/locate-ledger.ts'
import type { RecordFirst } from './judge-reported-commits.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import {
  CATCH_UP_FLUSH_WAIT_MS_MAX,
  DAEMON_SETTLE_MS_MAX,
  JUDGED_LOCK_WAIT_MS_MAX,
} from '../../core/base/thresholds.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { flushDaemon, isDaemonRunning, settleDaemon } from '../io/daemon-client/ask-daemon.ts'

/**
 * Judges the commits that are new in this worktree, and records each broken rule, so that commits made with
 * `--no-verify`, `KOTEF=0`, plumbing or a command that runs no pre-commit are seen. A clone judges each commit once.
 * `settled` waits until the writes from before are recorded, which show for which intent lines were written.
 */
export async function judgeNewCommits(
  workspace: Workspace,
  { settled, recordFirst }: JudgingTerms = {},
): Promise<TraceRecord[]> {
  const { shared } = layoutOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  if (!isSetUp) return []
  // During a rebase git reports each commit before it reports which commit it rewrote, and an abort drops all of them.
  if ((await gather(workspace, isRebasing(workspace))) || !(await hasNewCommits(workspace))) return []
  if (settled) {
    await settledAtHead(workspace, settled)
    if (await gather(workspace, isRebasing(workspace))) return []
  }
  // Loaded here, because there is seldom something to judge and the module is slow to load.
  const { judgeReportedCommits } = await import('./judge-reported-commits.ts')
  const records: TraceRecord[] = []
  const judge = async (reports: HookReports) => {
    for (const each of await judgeReportedCommits(workspace, reports, recordFirst)) records.push(each)
  }
  const lock = join(shared, 'judged.lock')
  await withLock(lock, () => drainHookQueue(workspace, judge), { waitMsMax: JUDGED_LOCK_WAIT_MS_MAX })
  return records
}

type JudgingTerms = {
  readonly settled?: Settled
  /** Called before the judgement. */
  readonly recordFirst?: RecordFirst
}

/** Resolves when the writes from before are recorded, at the latest at a time in ticks. */
export type Settled = (until: number) => Promise<unknown>

/**
 * Waits until the writes from before HEAD's commit are recorded. A command may write and commit several times: what it
 * wrote for the last commit comes after the first one.
 */
export async function settledAtHead(workspace: Workspace, settled: Settled): Promise<void> {
  const { clock } = workspace
  const until = clock.ticks() + DAEMON_SETTLE_MS_MAX
  let head: string | null
  do {
    head = await readHead(workspace)
    // Where nobody can say what was written, the commits are judged by what they are.
    await settled(until).catch(() => {})
  } while (clock.ticks() < until && head !== (await readHead(workspace)))
}

/** How many files the commits change that `judgeNewCommits` would judge, or some of them when they are many. */
export async function countNewCommitFiles(workspace: Workspace): Promise<number> {
  const head = await readHead(workspace)
  const tips = await readJudgedTips(workspace)
  if (head === null || tips?.includes(head)) return 0
  const unjudged = tips ? ['--ignore-missing', '--not', ...tips, '--remotes'] : []
  return (await workspace.git.tryAsk(countFiles([`--max-count=${tips ? COUNTED_MAX : 1}`, head, ...unjudged]))) ?? 0
}

// Beyond this number of commits, those that are counted are many enough.
const COUNTED_MAX = 200

async function hasNewCommits(workspace: Workspace): Promise<boolean> {
  if (await hasHookReports(workspace)) return true
  const head = await readHead(workspace)
  return head !== null && !(await readJudgedTips(workspace))?.includes(head)
}

/** Judges the commits made so far. Call it before a session begins or ends: live sessions count in the judgement. */
export async function tryJudgeNewCommits(workspace: Workspace): Promise<void> {
  const settled = async () => (await isDaemonRunning(workspace)) && settleDaemon(workspace)
  // The next command that reads the ledger judges again, and reports the failure.
  await judgeNewCommits(workspace, { settled }).catch(() => [])
}

/** Whether a daemon recorded everything (`isWatched`), and the reason why records may be missing, or null. */
type LedgerCompleteness = { readonly isWatched: boolean; readonly behind: string | null }

/** Brings the ledger up to date: waits for the daemon's records, or judges new commits when no daemon runs. */
export async function catchUpLedger(workspace: Workspace): Promise<LedgerCompleteness> {
  const work = async (): Promise<boolean> => {
    await restoreLedger(workspace)
    if (await flushDaemon(workspace, CATCH_UP_FLUSH_WAIT_MS_MAX)) return true
    await judgeNewCommits(workspace)
    return false
  }
  return work().then(
    isWatched => ({ isWatched, behind: null }),
    (thrown: unknown) => ({ isWatched: false, behind: toKotefError(thrown).message }),
  )
}
