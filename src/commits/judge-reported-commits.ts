import { headOid } from '../git/head-oid.ts'
import { commitsMadeHere } from '../git/reflog.ts'
import type { RecordDraft } from '../ledger/record-draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { readApprovals } from '../approvals/read-approvals.ts'
import { type JudgedCommit, judgeCommits } from './judge-commits.ts'
import { readJudgedTips, initializeJudgedTips, advanceJudgedTips } from './judged-tips.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { liveAgentNames } from '../sessions/live-sessions.ts'
import type { HookReports } from './hook-queue.ts'
import { newestCommits, findUnjudged } from './unjudged.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Judges the commits that hooks reported and all other new ones, and records each broken rule. */
export async function judgeReportedCommits(workspace: Workspace, reports: HookReports): Promise<TraceRecord[]> {
  const { git } = workspace
  const head = await git.tryAsk(headOid)
  if (head === null) return []
  const tips = await readJudgedTips(workspace)
  const made = reports.commits.length > 0 ? ((await git.tryAsk(commitsMadeHere(reports.commits.length))) ?? []) : []
  const { commits, passedOver } = tips
    ? await findUnjudged(workspace, { head, made, tips })
    : await newestCommits(workspace, head, reportedCount(reports, made))
  const agents = await liveAgentNames(workspace)
  const approvals = agents.length > 0 ? readApprovals(workspace) : []
  const judged = await judgeCommits(workspace, commits, { tips: [head], rewrites: reports.rewrites, agents, approvals })
  const drafts = [
    ...skippedEvents(reports, made, head),
    ...unjudgedProblem(passedOver),
    ...judged.flatMap(commitViolationDrafts),
  ]
  const records = await appendRecords(workspace, drafts, { head })
  if (tips) await advanceJudgedTips(workspace, [head, ...commits.map(it => it.oid)], tips)
  else await initializeJudgedTips(workspace, head)
  return records
}

// A commit that was reported and then amended counts once.
function reportedCount({ commits, otherCommits, rewrites }: HookReports, made: readonly string[]): number {
  const old = new Set([...rewrites.values()].flat().filter(it => made.includes(it)))
  return commits.length + otherCommits - old.size
}

function skippedEvents({ commits }: HookReports, made: readonly string[], head: string): RecordDraft[] {
  const newestFirst = commits.toReversed()
  const skipped = newestFirst.flatMap((it, n) => (it.skipped ? [made[n] ?? head] : []))
  return [...new Set(skipped)].reverse().map(commit => ({ event: { event: 'skipped', commit } }))
}

function unjudgedProblem(passedOver: number): RecordDraft[] {
  if (passedOver === 0) return []
  const message = `${passedOver} older new commits were not judged: \`git push\` judges each`
  return [{ event: { event: 'problem', path: null, message } }]
}

function commitViolationDrafts({ commit, findings }: JudgedCommit): RecordDraft[] {
  return findings
    .filter(it => it.level === 'block')
    .map(({ rule, path, message }) => ({
      event: { event: 'violation', rule, path, message, intent: commit.cited[0] ?? null, commit: commit.oid },
    }))
}
