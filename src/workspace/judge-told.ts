import { headOid } from '../diff/head-oid.ts'
import { madeHere } from '../diff/reflog.ts'
import type { Draft } from '../ledger/draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { approvalsOf } from './approvals.ts'
import { type Judged, judgeCommits } from './judge-commits.ts'
import { judgedTips, rememberAll, rememberJudged } from './judged-tips.ts'
import { record } from './record.ts'
import { liveAgents } from './sessions.ts'
import type { Told } from './told.ts'
import { newestOf, unjudgedSince } from './unjudged.ts'
import type { Workspace } from './workspace.ts'

/** Judges the commits that hooks have told of, or that are new in another way, and records each broken rule. */
export async function judgeTold(workspace: Workspace, told: Told): Promise<TraceRecord[]> {
  const { git } = workspace
  const head = await git.tryAsk(headOid)
  if (head === null) return []
  const tips = await judgedTips(workspace)
  const made = told.commits.length > 0 ? ((await git.tryAsk(madeHere(told.commits.length))) ?? []) : []
  const { commits, passedOver } = tips
    ? await unjudgedSince(workspace, { head, made, tips })
    : await newestOf(workspace, head, countOf(told, made))
  const agents = await liveAgents(workspace)
  const approvals = agents.length > 0 ? approvalsOf(workspace) : []
  const judged = await judgeCommits(workspace, commits, { tips: [head], rewrites: told.rewrites, agents, approvals })
  const drafts = [...skipsOf(told, made, head), ...overflow(passedOver), ...judged.flatMap(violationsOf)]
  const records = await record(workspace, drafts, { head })
  if (tips) await rememberJudged(workspace, [head, ...commits.map(it => it.oid)], tips)
  else await rememberAll(workspace, head)
  return records
}

// An amended commit that was told of before its amendment is one commit.
function countOf({ commits, others, rewrites }: Told, made: readonly string[]): number {
  const old = new Set([...rewrites.values()].flat().filter(it => made.includes(it)))
  return commits.length + others - old.size
}

function skipsOf({ commits }: Told, made: readonly string[], head: string): Draft[] {
  const newestFirst = commits.toReversed()
  const skipped = newestFirst.flatMap((it, n) => (it.skipped ? [made[n] ?? head] : []))
  return [...new Set(skipped)].reverse().map(commit => ({ event: { event: 'skipped', commit } }))
}

function overflow(passedOver: number): Draft[] {
  if (passedOver === 0) return []
  const message = `${passedOver} older commits came in besides and were not judged: \`git push\` judges each`
  return [{ event: { event: 'problem', path: null, message } }]
}

function violationsOf({ commit, findings }: Judged): Draft[] {
  return findings
    .filter(it => it.level === 'block')
    .map(({ rule, path, message }) => ({
      event: { event: 'violation', rule, path, message, intent: commit.cited[0] ?? null, commit: commit.oid },
    }))
}
