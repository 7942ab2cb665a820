import { join } from 'node:path'
import { madeHere } from '../diff/reflog.ts'
import { withLock } from '../io/lock.ts'
import type { Draft } from '../ledger/draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { approvalsOf } from './approvals.ts'
import { type Judged, judgeCommits } from './judge-commits.ts'
import { judgedTips, rememberAll, rememberJudged } from './judged-tips.ts'
import { headOid, record } from './record.ts'
import { liveAgents } from './sessions.ts'
import { isSomethingTold, type Told, withTold } from './told.ts'
import { newestOf, unjudgedSince } from './unjudged.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Judges the commits that are new in this worktree, and records each broken rule: what got in by `--no-verify`, by
 * `KOTEF=0`, by plumbing or in a flow that runs no pre-commit does not pass unseen. Each is judged once in a clone.
 */
export async function judgeHistory(workspace: Workspace): Promise<TraceRecord[]> {
  const { shared } = placesOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  if (!isSetUp || (await isMidway(workspace)) || !(await isSomethingNew(workspace))) return []
  const records: TraceRecord[] = []
  const judge = async (told: Told) => void records.push(...(await judgeTold(workspace, told)))
  const lock = join(shared, 'judged.lock')
  await withLock(lock, () => withTold(workspace, judge), { waitMsMax: WAIT_MS_MAX })
  return records
}

// Another worktree's judgement may be of many commits.
const WAIT_MS_MAX = 30_000

// In a rebase git tells of each commit before it says what that was made from, and may yet throw all of them away.
async function isMidway({ files, gitDir }: Workspace): Promise<boolean> {
  const signs = ['rebase-merge', 'rebase-apply'].map(it => files.modifiedAt(join(gitDir, it)))
  return (await Promise.all(signs)).some(it => it !== null)
}

async function isSomethingNew(workspace: Workspace): Promise<boolean> {
  if (await isSomethingTold(workspace)) return true
  const head = await workspace.git.tryAsk(headOid)
  return head !== null && !(await judgedTips(workspace))?.includes(head)
}

async function judgeTold(workspace: Workspace, told: Told): Promise<TraceRecord[]> {
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
