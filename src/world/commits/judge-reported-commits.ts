import { gather } from '../io/git/gather.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'
import { readHead } from '../io/worktree/head.ts'
import { commitsMadeHere } from '../../core/git/reflog.ts'
import type { RecordDraft, TraceRecord } from '../../core/ledger/record.ts'
import { gatherApprovals } from '../approvals/read-approvals.ts'
import { judgeCommits, type JudgedCommit } from './judge-commits.ts'
import { advanceJudgedTips, type HookReports, initializeJudgedTips, readJudgedTips } from './hook-queue.ts'
import { appendJudgement } from './append-judgement.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'
import { agentNames, sessionIntents } from '../../core/intents/session.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type Commit, commitsIn } from '../../core/git/trailers/commits.ts'
import { commitRange, countCommits, isOnBranch } from '../../core/git/commit-graph.ts'
import type { Git } from '../io/git/git.ts'

/** Records what the commits that hooks reported, newest first, show of writes. */
export type RecordFirst = (made: readonly string[]) => Promise<readonly TraceRecord[]>

/** Judges the commits that hooks reported and all other new ones, and records each broken rule. */
export async function judgeReportedCommits(
  workspace: Workspace,
  reports: HookReports,
  recordFirst: RecordFirst = async () => [],
): Promise<TraceRecord[]> {
  const { git } = workspace
  const head = await readHead(workspace)
  if (head === null) return []
  const tips = await readJudgedTips(workspace)
  const made = reports.commits.length > 0 ? ((await git.tryAsk(commitsMadeHere(reports.commits.length))) ?? []) : []
  const recorded = await recordFirst(made)
  const { commits, passedOver } = tips
    ? await findUnjudged(workspace, { head, made, tips })
    : await newestCommits(workspace, head, reportedCount(reports, made))
  const sessions = (await liveSessions(workspace)).filter(it => it.kind === 'agent')
  const agents = agentNames(sessions)
  const approvals = await gather(workspace, gatherApprovals(workspace))
  const ledgerEnd = commits.length > 0 ? await gather(workspace, readLedgerEnd(workspace)) : ''
  const byAgents = { commits: oidsOf(reports, made, it => it.byAgent), live: sessionIntents(sessions) }
  const context = { rewrites: reports.rewrites, agents, approvals, ledgerEnd, byAgents }
  const judged = await judgeCommits(workspace, commits, context)
  const drafts = [
    ...skippedEvents(reports, made, head),
    ...unjudgedProblem(passedOver),
    ...judged.flatMap(commitViolationDrafts),
  ]
  const finish = () =>
    tips
      ? advanceJudgedTips(workspace, [head, ...commits.map(it => it.oid)], tips)
      : initializeJudgedTips(workspace, head)
  return [...recorded, ...(await appendJudgement(workspace, drafts, { head, finish }))]
}

// A commit that was reported and then amended counts once.
function reportedCount({ commits, otherCommits, rewrites }: HookReports, made: readonly string[]): number {
  const old = new Set([...rewrites.values()].flat().filter(it => made.includes(it)))
  return commits.length + otherCommits - old.size
}

function skippedEvents(reports: HookReports, made: readonly string[], head: string): RecordDraft[] {
  const skipped = oidsOf(reports, made, it => it.skipped).map(it => it ?? head)
  return [...new Set(skipped)].reverse().map(commit => ({ event: { event: 'skipped', commit } }))
}

/** Of the reported commits some, newest first; null for one that the log of HEAD does not have. */
function oidsOf(
  { commits }: HookReports,
  made: readonly string[],
  isWanted: (report: HookReports['commits'][number]) => boolean,
): (string | null)[] {
  return commits.toReversed().flatMap((it, n) => (isWanted(it) ? [made[n] ?? null] : []))
}

function unjudgedProblem(passedOver: number): RecordDraft[] {
  if (passedOver === 0) return []
  const message = `${passedOver} older new commits were not judged: \`git push\` judges each`
  return [{ event: { event: 'problem', path: null, message } }]
}

function commitViolationDrafts({ commit, findings }: JudgedCommit): RecordDraft[] {
  return findings
    .filter(it => it.level !== 'review')
    .map(({ rule, path, message }) => ({
      event: { event: 'violation', rule, path, message, intent: commit.cited[0] ?? null, commit: commit.oid },
    }))
}

/** Commits that were not judged, oldest first, and the number of older ones that are omitted. */
export type UnjudgedCommits = { readonly commits: readonly Commit[]; readonly passedOver: number }

/** The new commits since some tips: those that HEAD reaches and no remote has, and those that were made here. */
export async function findUnjudged(
  { git }: Workspace,
  { head, made, tips }: { head: string; made: readonly string[]; tips: readonly string[] },
): Promise<UnjudgedCommits> {
  const revisions = [head, '--ignore-missing', '--not', ...tips, '--remotes']
  const reached = await git.ask(commitsIn(revisions, { countMax: UNJUDGED_COMMITS_MAX }))
  const isFull = reached.length === UNJUDGED_COMMITS_MAX
  const passedOver = isFull ? (await git.ask(countCommits(revisions))) - UNJUDGED_COMMITS_MAX : 0
  const offHead = await commitsOffHead(git, { reached, made, tips })
  return { commits: [...offHead, ...reached], passedOver }
}

// More commits than this are left to `git push` and to CI.
const UNJUDGED_COMMITS_MAX = 200

// HEAD may have moved since a commit was made, and a remote may have the commit already. A commit on no branch, such as
// the old version of an amended commit, is not part of any history.
async function commitsOffHead(git: Git, known: OffHeadQuery): Promise<readonly Commit[]> {
  const here = new Set(known.reached.map(it => it.oid))
  const others = known.made.filter(it => !here.has(it))
  if (others.length === 0) return []
  const unjudged = await git.tryAsk(commitRange(others, known.tips))
  const left = others.filter(it => unjudged?.commits.has(it))
  const onBranch = await Promise.all(left.map(it => git.tryAsk(isOnBranch(it))))
  const found = left.filter((_, n) => onBranch[n])
  return found.length === 0 ? [] : git.ask(commitsIn(['--no-walk', ...found], { countMax: null }))
}

type OffHeadQuery = {
  readonly reached: readonly Commit[]
  readonly made: readonly string[]
  readonly tips: readonly string[]
}

/** The commits of the first judgement: the newest ones of HEAD, as many as the hooks reported. */
export async function newestCommits({ git }: Workspace, head: string, count: number): Promise<UnjudgedCommits> {
  const countMax = Math.min(count, UNJUDGED_COMMITS_MAX)
  if (countMax <= 0) return { commits: [], passedOver: 0 }
  return { commits: await git.ask(commitsIn([head, '--not', '--remotes'], { countMax })), passedOver: 0 }
}
