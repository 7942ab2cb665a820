import type { Finding } from '../base/finding.ts'
import { escapeInvisible, plural, printable } from '../base/printable.ts'
import { findingCounts } from './finding-lines.ts'
import { findingSentence } from './finding-sentence.ts'
import { shortOid, withShortOids } from './short-id.ts'

/** A finding, and the commit that it is about; null when it is not about one commit. */
export type CommitFinding = Finding & { readonly commit: string | null; readonly subject: string | null }

/** A range of commits that was judged. */
export type JudgedRange = {
  readonly name: string
  /** Null for a range without a single start. */
  readonly from: string | null
  /** Null for the staged changes. */
  readonly to: string | null
  /** The number of judged commits. */
  readonly commits: number
  /** The number of other commits in it, from before the adoption. */
  readonly passedOver: number
  /** What the reader has to know about the range: why nothing was judged, or which commit replaces a missing one. */
  readonly remark: string | null
}

/** The answer of `kotef verify`; its JSON is public. */
export type Verification = { readonly ranges: readonly JudgedRange[]; readonly findings: readonly CommitFinding[] }

/** True when a finding blocks. */
export function isRefused({ findings }: Pick<Verification, 'findings'>): boolean {
  return findings.some(it => it.level === 'block')
}

/** A verification as text: the judged ranges, then each commit with its findings and their hints. */
export function verificationText({ ranges, findings }: Verification): string {
  const judged = ranges.map(judgedRangeText).join('\n') || 'No commit to judge'
  const problems = findings.length === 0 ? '' : `, ${findingCounts(findings)}`
  const printed = findings.filter(it => it.level !== 'observe')
  return [`${judged}${problems}.`, ...findingsByCommit(printed).flatMap(commitText)].join('\n')
}

function judgedRangeText({ name, from, to, commits, passedOver, remark }: JudgedRange): string {
  const ends = to === null ? '' : ` (${from === null ? '' : `${shortOid(from)}..`}${shortOid(to)})`
  const free = passedOver > 0 ? `; ${passedOver} from before the adoption passed over` : ''
  const what = to === null ? 'what is staged' : plural(commits, 'commit')
  const counts = commits === 0 && remark !== null ? '' : `${what} judged`
  return `${withShortOids(printable(name))}${ends}: ${[counts, remark ?? ''].filter(it => it !== '').join('; ')}${free}`
}

// The findings of one commit are adjacent.
function findingsByCommit(findings: readonly CommitFinding[]): CommitFinding[][] {
  const all = new Map<string | null, CommitFinding[]>()
  for (const it of findings) all.set(it.commit, [...(all.get(it.commit) ?? []), it])
  return [...all.values()]
}

function commitText(findings: readonly CommitFinding[]): string[] {
  const [first] = findings
  const title = first?.commit
    ? `${first.commit.slice(0, 10)} ${escapeInvisible(first.subject ?? '')}`
    : 'other findings'
  return [title, ...findings.flatMap(findingTextLines)]
}

function findingTextLines(finding: Finding): string[] {
  const { level, rule, hint } = finding
  return [`  ${level.padEnd(6)} ${findingSentence(finding)} (${rule})`, ...(hint === '' ? [] : [`         ${hint}`])]
}

/** A verification as GitHub workflow commands, which GitHub shows as annotations of a change. */
export function verificationGithub({ ranges, findings }: Verification): string {
  const judged = ranges.reduce((sum, it) => sum + it.commits, 0)
  return [`kotef: ${plural(judged, 'commit')} judged, ${findingCounts(findings)}.`, ...findings.map(annotation)].join(
    '\n',
  )
}

function annotation(finding: CommitFinding): string {
  const { level, rule, path, hint, commit, subject } = finding
  const file = path === null ? '' : `file=${inProperty(path)},`
  const who = commit === null ? '' : `${commit.slice(0, 10)} ${escapeInvisible(subject ?? '')}: `
  const text = inData(`${who}${findingSentence(finding)}\n${hint}`.trim())
  return `::${ANNOTATION_KINDS[level]} ${file}title=${inProperty(`kotef: ${rule}`)}::${text}`
}

const ANNOTATION_KINDS: Readonly<Record<Finding['level'], string>> = {
  block: 'error',
  warn: 'warning',
  review: 'warning',
  observe: 'notice',
}

// A newline in a text would let the text begin a workflow command of its own.
function inData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function inProperty(text: string): string {
  return inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
