import { pendingRequests } from '../../../world/approvals/requests.ts'
import { toKotefError } from '../../../core/base/failure.ts'
import { approveCommand } from '../../../core/intents/request.ts'
import { gather } from '../../../world/io/git/gather.ts'
import { ledgerSize } from '../../../world/ledger/open-ledger.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import type { LedgerCounts, NowFacts, RequestNow, TreeNow } from '../pages/now-facts.ts'
import type { FailureWords } from '../pages/failure-text.tsx'
import { recordFacts } from '../pages/record-facts.ts'
import { currentBranch } from '../../../world/intents/sessions/branch-intent.ts'
import { daemonStatus } from '../../../world/views/worktree-changes.ts'
import { stoppedRuns } from '../../../world/runs/stopped-runs.ts'
import { readHead } from '../../../world/io/worktree/head.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { gatherChanges } from './gather-changes.ts'
import { pendingDecisions } from './pending-decisions.ts'
import { intentsInProgress, runsNow } from './work-now.ts'

const LATEST_RECORDS = 50

/** What happens in a worktree now. What can't be found out is a problem on the page, and the rest is shown. */
export async function gatherNow(workspace: Workspace): Promise<NowFacts> {
  const problems = new Map<string, FailureWords>()
  const orProblem = <T>(fact: Promise<T>, without: T): Promise<T> =>
    fact.catch((thrown: unknown) => {
      const { message, hint } = toKotefError(thrown)
      problems.set(message, { message, hint })
      return without
    })
  // Records that come meanwhile are also sent as events, and the page has each once.
  const offset = await ledgerSize(workspace)
  const [tree, intents, runs, stopped, requests, decisions, ledger] = await Promise.all([
    orProblem(treeNow(workspace), NO_TREE),
    orProblem(intentsInProgress(workspace), []),
    orProblem(runsNow(workspace), []),
    orProblem(stoppedRuns(workspace), []),
    orProblem(requestsNow(workspace), []),
    orProblem(pendingDecisions(workspace), []),
    orProblem(latestRecords(workspace), { latest: [], counts: { records: 0, violations: 0 } }),
  ])
  const now = workspace.clock.now()
  return { now, tree, intents, runs, stopped, requests, decisions, ...ledger, offset, problems: [...problems.values()] }
}

const NO_TREE: TreeNow = { branch: null, head: null, watchedSince: null, changes: [] }

async function treeNow(workspace: Workspace): Promise<TreeNow> {
  const [branch, head, daemon, changes] = await Promise.all([
    gather(workspace, currentBranch(workspace)),
    readHead(workspace),
    daemonStatus(workspace),
    gatherChanges(workspace),
  ])
  const watchedSince = daemon.running ? daemon.since : null
  return { branch: branch?.replace(/^refs\/heads\//, '') ?? null, head, watchedSince, changes }
}

async function latestRecords(workspace: Workspace): Promise<{ latest: NowFacts['latest']; counts: LedgerCounts }> {
  const { records, older } = await queryLedger(workspace, { wanted: {}, limit: LATEST_RECORDS })
  const violations = await queryLedger(workspace, { wanted: { event: 'violation' }, limit: 0 })
  return {
    latest: records.map(recordFacts).reverse(),
    counts: { records: records.length + older, violations: violations.records.length + violations.older },
  }
}

async function requestsNow(workspace: Workspace): Promise<RequestNow[]> {
  return (await pendingRequests(workspace)).map(it => ({ ...it, command: approveCommand(it.id) }))
}
