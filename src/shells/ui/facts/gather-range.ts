import { commitLog, type LoggedCommit } from '../../../core/git/log.ts'
import { KotefError, toKotefError } from '../../../core/base/failure.ts'
import { printable } from '../../../core/base/printable.ts'
import type { Finding } from '../../../core/base/finding.ts'
import type { FailureWords } from '../pages/failure-text.tsx'
import type { CommitQuery } from '../pages/links.ts'
import { firstItem } from '../pages/pager.tsx'
import type { RangeFacts } from '../pages/range-facts.ts'
import type { ListedCommit, RangesFacts } from '../pages/ranges-page.tsx'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { reviewOf } from '../../../core/report/review/review.ts'
import { withLedgerFindings } from '../../../world/verify/run-verify.ts'
import { parseVerifyRange } from '../../../world/verify/verify-range.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askLedgerFindings } from './ledger-check.ts'
import { askLines } from './line-facts.ts'
import { momentParameter } from './line-query.ts'
import { askReview, type JudgedReview } from './range-source.ts'
import { selectLines } from './select-lines.ts'
import { commitTest } from './select-lines.ts'
import { countedCommits } from './tally-lines.ts'

/** What `kotef report` says of a range, as far as it is known when `wait` is over; null when git has no such range. */
export async function gatherRange(
  workspace: Workspace,
  range: string,
  wait: Promise<unknown> | null,
): Promise<RangeFacts | null> {
  const asked = await askReview(workspace, range, wait).catch(nullWhenUnknown)
  if (asked === null) return null
  // The commits come first: what reads a long ledger at the same time would hold them up.
  const ledger = asked.value === null ? NOT_ASKED : await askLedgerFindings(workspace, wait)
  const [, only] = /^(.+)\^!$/s.exec(range) ?? []
  const [commit] = only === undefined ? [] : await oneCommit(workspace, only)
  return {
    now: workspace.clock.now(),
    range,
    commit: commit ? { oid: commit.commit, subject: commit.subject, author: commit.author, at: commit.date } : null,
    review: reviewFacts(asked, ledger.value ?? []),
    ledger,
  }
}

const NOT_ASKED = { value: null, isCurrent: false, share: 0, failure: null }

function nullWhenUnknown(thrown: unknown): null {
  if (thrown instanceof KotefError && thrown.code === 'range-unknown') return null
  throw thrown
}

/** Why git has no such range, in words. */
export function whyUnknown(workspace: Workspace, range: string): Promise<FailureWords> {
  return parseVerifyRange(workspace, range).then(
    () => new KotefError('range-unknown', `There is no range ${printable(range)} in this clone.`),
    toKotefError,
  )
}

async function oneCommit({ git }: Workspace, revision: string): Promise<LoggedCommit[]> {
  return (await git.tryAsk(commitLog({ range: revision, limit: 1 }))) ?? []
}

function reviewFacts({ value, ...known }: SlowFacts<JudgedReview>, ofLedger: readonly Finding[]): RangeFacts['review'] {
  if (value === null) return { ...known, value }
  const { facts, judgedAt, diff } = value
  const verification = withLedgerFindings(facts.verification, ofLedger)
  return { ...known, value: { review: reviewOf({ ...facts, verification }), judgedAt, diff } }
}

const COMMITS_A_PAGE = 100

/** A page of the commits of HEAD, as far as they are known when `wait` is over. */
export async function gatherRanges(
  workspace: Workspace,
  params: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<RangesFacts> {
  const query = commitQueryOf(params)
  const { commits, reading } = await listCommits(workspace, query, wait)
  const from = query.from ?? 0
  return {
    now: workspace.clock.now(),
    query,
    unpublished: await unpublishedRange(workspace),
    total: commits.length,
    commits: commits.slice(from, from + COMMITS_A_PAGE),
    pageLength: COMMITS_A_PAGE,
    reading,
  }
}

function commitQueryOf(params: URLSearchParams): CommitQuery {
  const from = firstItem(params.get('from'))
  return {
    intent: params.get('intent') ?? undefined,
    since: momentParameter(params, 'since'),
    kind: KINDS.find(it => it === params.get('kind')),
    from: from === 0 ? undefined : from,
  }
}

const KINDS = ['counted', 'older', 'governance'] as const
const KNOWN = { isCurrent: true, share: 1, failure: null }

type CommitList = { readonly commits: readonly ListedCommit[]; readonly reading: RangesFacts['reading'] }

async function listCommits(
  workspace: Workspace,
  query: CommitQuery,
  wait: Promise<unknown> | null,
): Promise<CommitList> {
  if (query.kind !== undefined || query.intent !== undefined) return listKnownCommits(workspace, query, wait)
  const all = (await workspace.git.tryAsk(commitLog({}))) ?? []
  return { commits: all.filter(loggedTest(query)).map(listedCommit), reading: KNOWN }
}

/** The commits of a kind, or with lines of an intent, as the page of statistics counts them. */
async function listKnownCommits(
  workspace: Workspace,
  query: CommitQuery,
  wait: Promise<unknown> | null,
): Promise<CommitList> {
  const { history } = await askLines(workspace, wait)
  const { value, ...reading } = history
  if (value === null) return { commits: [], reading }
  if (query.kind === 'older' || query.kind === 'governance')
    return { commits: value[query.kind].filter(loggedTest(query)).map(listedCommit), reading }
  const { intent, since } = query
  const counted = countedCommits(value.commits, selectLines(value.commits, { intent, since }, null), { intent, since })
  const commits = counted.map(it => ({
    oid: it.commit,
    subject: it.subject,
    author: it.author,
    at: new Date(it.at).toISOString(),
    intents: it.intents,
    governance: null,
  }))
  return { commits, reading }
}

function loggedTest(query: CommitQuery): (commit: LoggedCommit) => boolean {
  const isWanted = commitTest({ since: query.since })
  return it => isWanted({ ...it, at: Date.parse(it.committed), isNoted: false, ranges: [], classes: new Map() })
}

function listedCommit({ commit, subject, author, committed, intents, governance }: LoggedCommit): ListedCommit {
  return { oid: commit, subject, author, at: committed, intents, governance }
}

/** The range that `kotef report` takes by itself, if it is one of commits that are not merged yet. */
async function unpublishedRange(workspace: Workspace): Promise<string | null> {
  const range = await parseVerifyRange(workspace, null).catch(() => null)
  if (range === null || range.from === null || range.from === range.to) return null
  return `${range.from.slice(0, 10)}..HEAD`
}
