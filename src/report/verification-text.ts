import { plural } from '../text/plural.ts'
import type { Finding } from '../findings/finding.ts'
import { printable } from '../text/printable.ts'
import type { CommitFinding, JudgedRange, Verification } from './verification.ts'

/** A verification as text: the judged ranges, then each commit with its findings and their hints. */
export function verificationText({ ranges, findings }: Verification): string {
  const judged = ranges.map(judgedRangeText).join('\n') || 'No commit to judge'
  const problems = findings.length === 0 ? '' : `, ${plural(findings.length, 'problem')}`
  return [`${judged}${problems}.`, ...findingsByCommit(findings).flatMap(commitText)].join('\n')
}

function judgedRangeText({ name, from, to, commits, passedOver }: JudgedRange): string {
  const ends = to === null ? '' : ` (${from === null ? '' : `${from}..`}${to})`
  const free = passedOver > 0 ? `; ${passedOver} from before the adoption passed over` : ''
  const what = to === null ? 'what is staged' : plural(commits, 'commit')
  return `${printable(name)}${ends}: ${what} judged${free}`
}

// The findings of one commit are adjacent.
function findingsByCommit(findings: readonly CommitFinding[]): CommitFinding[][] {
  const all = new Map<string | null, CommitFinding[]>()
  for (const it of findings) all.set(it.commit, [...(all.get(it.commit) ?? []), it])
  return [...all.values()]
}

function commitText(findings: readonly CommitFinding[]): string[] {
  const [first] = findings
  const title = first?.commit ? `${first.commit.slice(0, 10)} ${printable(first.subject ?? '')}` : 'not of one commit'
  return [title, ...findings.flatMap(findingTextLines)]
}

function findingTextLines({ level, rule, message, hint }: Finding): string[] {
  return [`  ${level.padEnd(6)} ${message} (${rule})`, ...(hint === '' ? [] : [`         ${hint}`])]
}
