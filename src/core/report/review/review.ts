import type { Criterion, Intent } from '../../intents/intent.ts'
import { judgePath, type PathJudge } from '../../intents/scope/judge-path.ts'
import type { Policy } from '../../intents/scope/policy.ts'
import type { Commit } from '../../git/trailers/commits.ts'
import { type CommitFinding, isRefused, type JudgedRange, type Verification } from '../verification.ts'
import { type LineCount, type LineTotals, lineTotals } from './line-totals.ts'

/** What is known of a range of commits that a person reviews. */
export type ReviewFacts = {
  readonly verification: Verification
  /** The judged commits, oldest first. */
  readonly commits: readonly Commit[]
  /** The intents at the end of the range. */
  readonly intents: readonly Intent[]
  /** The policy there; null when it has none. */
  readonly policy: Policy | null
  readonly lines: readonly LineCount[]
}

/** The answer of `kotef report`; its JSON is public. */
export type Review = {
  readonly version: 1
  readonly verdict: 'blocked' | 'passed' | 'nothing-judged'
  readonly ranges: readonly JudgedRange[]
  readonly counts: Readonly<Record<CommitFinding['level'], number>>
  /** In the order in which a person reads them: by their topic. */
  readonly findings: readonly ReviewFinding[]
  /** By id; the one without an id, of the commits that cite no intent, is the last. */
  readonly intents: readonly ReviewIntent[]
  /** The lines of all intents. Those of governance commits are not counted. */
  readonly lines: LineTotals
  readonly commits: readonly ReviewCommit[]
}

/** The part of a report in which a finding stands. */
export type ReviewTopic = 'blocking' | 'loosened' | 'governance' | 'other' | 'observed'

/** A finding and its topic. */
export type ReviewFinding = CommitFinding & { readonly topic: ReviewTopic }

/** An intent in a range: what was wanted, what its commits changed, and who wrote their lines. */
export type ReviewIntent = {
  /** Null for the commits that cite no intent. */
  readonly id: string | null
  /** Null for an intent that the registry does not have. */
  readonly name: string | null
  readonly criteria: readonly { readonly text: string; readonly isCommand: boolean }[]
  readonly constraints: readonly string[]
  readonly paths: ReviewPaths
  readonly lines: LineTotals
  /** The ids of the commits that cite it. */
  readonly commits: readonly string[]
}

type ReviewPaths = {
  readonly inScope: readonly string[]
  /** Those with a finding of `kotef verify`. */
  readonly outOfScope: readonly string[]
  /** Those that something else allows: another intent of the commit, its source, or `Governance:`. */
  readonly others: readonly string[]
}

type ReviewCommit = Pick<Commit, 'subject' | 'governance'> & {
  readonly commit: string
  readonly intents: readonly string[]
  readonly isMerge: boolean
}

/** The report on a range: its findings in order, and for each intent its paths, lines and commits. */
export function reviewOf(facts: ReviewFacts): Review {
  const { ranges, findings } = facts.verification
  return {
    version: 1,
    verdict: isRefused({ findings }) ? 'blocked' : facts.commits.length === 0 ? 'nothing-judged' : 'passed',
    ranges,
    counts: levelCounts(findings),
    findings: inReadingOrder(findings),
    intents: reviewedIntents(facts),
    lines: lineTotals(facts.lines),
    commits: facts.commits.map(reviewCommit),
  }
}

function levelCounts(findings: readonly CommitFinding[]): Review['counts'] {
  const counts = { block: 0, warn: 0, review: 0, observe: 0 }
  for (const { level } of findings) counts[level]++
  return counts
}

const TOPICS: readonly ReviewTopic[] = ['blocking', 'loosened', 'governance', 'other', 'observed']

// Within a topic a finding that takes a guard away comes first, and then the order is that of `kotef verify`.
function inReadingOrder(findings: readonly CommitFinding[]): ReviewFinding[] {
  const rank = (it: ReviewFinding) => [TOPICS.indexOf(it.topic), SUBJECT_ORDER.indexOf(subjectOf(it.rule))] as const
  return findings
    .map(it => ({ ...it, topic: topicOf(it) }))
    .sort((one, other) => {
      const [a, b] = rank(one)
      const [c, d] = rank(other)
      return a - c || b - d
    })
}

function topicOf({ level, rule }: CommitFinding): ReviewTopic {
  if (level === 'block') return 'blocking'
  return level === 'observe' ? 'observed' : subjectOf(rule)
}

const SUBJECT_ORDER = ['loosened', 'governance', 'other'] as const

function subjectOf(rule: string): (typeof SUBJECT_ORDER)[number] {
  if (LOOSENING_RULES.has(rule)) return 'loosened'
  return rule.startsWith('governance-') || POLICY_RULES.has(rule) ? 'governance' : 'other'
}

const LOOSENING_RULES: ReadonlySet<string> = new Set([
  ...['governance-loosened', 'governance-unsigned', 'check-changed', 'policy-in-range'],
])
const POLICY_RULES: ReadonlySet<string> = new Set(['adoption', 'policy-readable', 'intent-id-clash'])

function reviewedIntents(facts: ReviewFacts): ReviewIntent[] {
  const cited = facts.commits.flatMap(it => it.cited)
  const recorded = facts.lines.flatMap(it => (it.intent === null ? [] : [it.intent]))
  const judge = facts.policy && judgePath(facts.policy)
  const known = [...new Set([...cited, ...recorded])].sort().map(it => reviewedIntent(it, facts, judge))
  const rest = reviewedIntent(null, facts, judge)
  return rest.commits.length > 0 || rest.lines.added > 0 ? [...known, rest] : known
}

function reviewedIntent(id: string | null, facts: ReviewFacts, judge: PathJudge | null): ReviewIntent {
  const commits = facts.commits.filter(it => isCommitOf(it, id))
  const intent = facts.intents.find(it => it.id === id) ?? null
  return {
    id,
    name: intent?.name ?? null,
    criteria: intent?.acceptance_criteria.map(criterionOf) ?? [],
    constraints: intent?.constraints ?? [],
    paths: sortedPaths(commits, facts.verification.findings, path =>
      Boolean(intent && judge?.(intent.owned_scope, path).kind === 'owned'),
    ),
    lines: lineTotals(facts.lines.filter(it => it.intent === id)),
    commits: commits.map(it => it.oid),
  }
}

// A governance commit needs no intent, nor does a merge that changes nothing itself.
function isCommitOf({ cited, governance, parents, changes }: Commit, id: string | null): boolean {
  if (id !== null) return cited.includes(id)
  return cited.length === 0 && governance === null && (parents.length < 2 || changes.length > 0)
}

function criterionOf(criterion: Criterion): ReviewIntent['criteria'][number] {
  return typeof criterion === 'string'
    ? { text: criterion, isCommand: false }
    : { text: criterion.cmd, isCommand: true }
}

/** Sorts the paths that commits change. `kotef verify` has decided what is outside, so that both say the same. */
function sortedPaths(
  commits: readonly Commit[],
  findings: readonly CommitFinding[],
  isOwned: (path: string) => boolean,
): ReviewPaths {
  const oids = new Set(commits.map(it => it.oid))
  const refused = findings.filter(it => PATH_RULES.has(it.rule) && it.commit !== null && oids.has(it.commit))
  const outOfScope = new Set(refused.flatMap(it => (it.path === null ? [] : [it.path])))
  const changed = commits.flatMap(it => it.changes.map(change => change.path)).filter(it => !outOfScope.has(it))
  const others = [...new Set(changed)].sort()
  return {
    inScope: others.filter(isOwned),
    outOfScope: [...outOfScope].sort(),
    others: others.filter(it => !isOwned(it)),
  }
}

const PATH_RULES: ReadonlySet<string> = new Set([
  ...[
    'in-scope',
    'path-forbidden',
    'path-ignored',
    'path-malformed',
    'constraint-path',
    'policy-in-range',
    'policy-newer',
  ],
  'source-content',
])

function reviewCommit({ oid, subject, cited, governance, parents }: Commit): ReviewCommit {
  return { commit: oid, subject, intents: cited, governance, isMerge: parents.length > 1 }
}
