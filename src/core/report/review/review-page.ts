import { KOTEF_ANYWHERE, withTypedName } from '../../base/kotef-command.ts'
import { plural } from '../../base/printable.ts'
import { findingCounts } from '../finding-lines.ts'
import { findingSentence } from '../finding-sentence.ts'
import type { JudgedRange } from '../verification.ts'
import type { LineTotals } from './line-totals.ts'
import { type CountedLines, countPart, type PageBlock, type PageLimits, type PageLine, type PagePoint } from './page.ts'
import type { Review, ReviewFinding, ReviewIntent, ReviewTopic } from './review.ts'

/** A report as the blocks of a page: findings first, then each intent, its paths, authors and commits. */
export function reviewBlocks(review: Review, { pointsMax }: PageLimits): PageBlock[] {
  const intents = review.intents.slice(0, pointsMax)
  const more = review.intents.length - intents.length
  return [
    heading(1, [`kotef: ${reviewTitle(review)}`]),
    { kind: 'list', points: [...review.ranges.map(rangePoint), { line: linesLine(review.lines, {}) }] },
    ...TOPIC_TITLES.flatMap(([topic, title]) => findingBlocks(review, topic, title)),
    ...intents.flatMap(it => intentBlocks(it, review)),
    ...(more > 0 ? [heading(2, [`… and ${plural(more, 'more intent')}`])] : []),
    ...governanceBlocks(review),
  ]
}

/** The first words of a report: the verdict and the number of findings. */
export function reviewTitle({ verdict, findings }: Review): string {
  const counts = findings.length === 0 ? '' : `, ${findingCounts(findings)}`
  return `${VERDICTS[verdict]}${counts}`
}

const VERDICTS: Readonly<Record<Review['verdict'], string>> = {
  blocked: 'blocked',
  passed: 'nothing blocks',
  'nothing-judged': 'no commit to judge',
}

// What is only observed is counted in the title, and printed nowhere.
const TOPIC_TITLES: readonly (readonly [ReviewTopic, string])[] = [
  ['blocking', 'Blocks the merge'],
  ['loosened', 'Allows more, or checks less, than before'],
  ['governance', 'Changes of governance files'],
  ['other', 'To look at'],
]

function heading(level: 1 | 2 | 3, line: PageLine): PageBlock {
  return { kind: 'heading', level, line }
}

function rangePoint({ name, from, to, commits, passedOver, remark }: JudgedRange): PagePoint {
  const ends = to === null ? [] : [`(${from === null ? '' : `${from.slice(0, 10)}..`}${to.slice(0, 10)}):`]
  const free = passedOver > 0 ? [`(${passedOver} from before the adoption passed over)`] : []
  const below = remark === null ? {} : { below: [[{ data: remark }]] }
  const judged = countPart(commits, 'commit', { of: 'commits', after: ' judged' })
  return { line: [{ data: name }, ...ends, judged, ...free], ...below }
}

function linesLine({ added, recorded, own, untraced }: LineTotals, of: CountedLines): PageLine {
  const { unknown, withoutNote } = untraced
  const traced = recorded.reduce((sum, it) => sum + it.lines, 0)
  const noted = { ...of, isNoted: true }
  return [
    countPart(added, 'line', { of, after: ' added:' }),
    { n: traced, after: ' with a recorded author,', of: { ...noted, author: 'recorded' } },
    { n: unknown, after: ' with an unknown one,', of: { ...noted, author: 'unknown' } },
    { n: withoutNote, after: ` in commits without a note${own === 0 ? '' : ','}`, of: { ...of, isNoted: false } },
    ...(own === 0 ? [] : [{ n: own, after: " of kotef's own files", of: { ...of, author: 'kotef' as const } }]),
  ]
}

function findingBlocks({ findings }: Review, topic: ReviewTopic, title: string): PageBlock[] {
  const own = findings.filter(it => it.topic === topic)
  return own.length === 0 ? [] : [heading(2, [title]), { kind: 'list', points: own.map(findingPoint) }]
}

function findingPoint(finding: ReviewFinding): PagePoint {
  const { rule, commit, subject } = finding
  // Where a report is read, nobody knows whether kotef is installed.
  const hint = withTypedName(finding.hint, KOTEF_ANYWHERE)
  const where: PageLine[] = commit === null ? [] : [['in', { commit }, { data: subject ?? '' }]]
  return {
    line: [{ data: findingSentence(finding) }, '-', { data: rule }],
    below: [...where, ...(hint === '' ? [] : [[{ data: hint }]])],
  }
}

function intentBlocks(intent: ReviewIntent, review: Review): PageBlock[] {
  const { id, name, criteria, constraints, paths, lines } = intent
  const title: PageLine =
    id === null ? ['Without an intent'] : [{ data: id, about: 'intent' }, { data: name ?? '(not in the registry)' }]
  const outside = paths.outOfScope.length === 0 ? [] : [heading(3, ['Out of scope']), pathList(paths.outOfScope)]
  const wanted = [
    ...criteria.map(it => ({ line: [it.isCommand ? 'check' : 'criterion', { data: it.text }] })),
    ...constraints.map(it => ({ line: ['constraint', { data: it }] })),
  ]
  return [
    heading(2, title),
    ...(wanted.length === 0 ? [] : [{ kind: 'list' as const, points: wanted }]),
    ...outside,
    ...folded(`${plural(paths.inScope.length, 'path')} in scope`, paths.inScope.map(pathPoint)),
    ...folded(plural(paths.others.length, 'other path'), paths.others.map(pathPoint)),
    ...authorBlocks(lines, { intent: id }),
    ...folded(plural(intent.commits.length, 'commit'), commitPoints(intent, review)),
  ]
}

function pathList(texts: readonly string[]): PageBlock {
  return { kind: 'list', points: texts.map(pathPoint) }
}

function pathPoint(data: string): PagePoint {
  return { line: [{ data, about: 'path' }] }
}

function folded(title: string, points: readonly PagePoint[]): PageBlock[] {
  return points.length === 0 ? [] : [{ kind: 'folded', title, points }]
}

/** The recorded authors as a list, and below it, never among them, the lines whose author nobody knows. */
function authorBlocks(lines: LineTotals, of: CountedLines): PageBlock[] {
  const points = lines.recorded.map(({ type, model, lines: count, doubtful }): PagePoint => {
    const doubt = doubtful === 0 ? [] : [`(${doubtful} of them perhaps by somebody else)`]
    const own = { ...of, isNoted: true, author: type, model }
    const counted = countPart(count, 'line', { of: own })
    return { line: [counted, AUTHORS[type], ...(model === null ? [] : [{ data: model }]), ...doubt] }
  })
  if (lines.added === 0) return []
  return [
    { kind: 'paragraph', line: linesLine(lines, of) },
    ...(points.length === 0 ? [] : [{ kind: 'list' as const, points }]),
  ]
}

const AUTHORS = { ai: 'by an agent', human: 'by a person', mixed: 'by a person and an agent' } as const

function commitPoints({ commits }: ReviewIntent, review: Review): PagePoint[] {
  const own = new Set(commits)
  return review.commits
    .filter(it => own.has(it.commit))
    .map(({ commit, subject, isMerge }) => ({
      line: [{ commit }, { data: subject }, ...(isMerge ? ['(a merge)'] : [])],
    }))
}

function governanceBlocks({ commits }: Review): PageBlock[] {
  const points = commits.flatMap(({ commit, subject, governance }) =>
    governance === null ? [] : [{ line: [{ commit }, { data: subject }], below: [['reason:', { data: governance }]] }],
  )
  return folded(plural(points.length, 'governance commit'), points)
}
