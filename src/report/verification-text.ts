import { counted } from './counted.ts'
import type { Finding } from './finding.ts'
import { printable } from './printable.ts'
import type { Found, Stretch, Verification } from './verification.ts'

/** A verification for people: what was judged, and below it each commit with its problems and their way out. */
export function verificationText({ ranges, findings }: Verification): string {
  const judged = ranges.map(stretchText).join('\n') || 'No commit to judge'
  const problems = findings.length === 0 ? '' : `, ${counted(findings.length, 'problem')}`
  return [`${judged}${problems}.`, ...groups(findings).flatMap(groupText)].join('\n')
}

function stretchText({ name, from, to, commits, passedOver }: Stretch): string {
  const ends = to === null ? '' : ` (${from === null ? '' : `${from}..`}${to})`
  const free = passedOver > 0 ? `; ${passedOver} from before the adoption passed over` : ''
  const what = to === null ? 'what is staged' : counted(commits, 'commit')
  return `${printable(name)}${ends}: ${what} judged${free}`
}

// Findings of one commit follow one another.
function groups(findings: readonly Found[]): Found[][] {
  const all = new Map<string | null, Found[]>()
  for (const it of findings) all.set(it.commit, [...(all.get(it.commit) ?? []), it])
  return [...all.values()]
}

function groupText(findings: readonly Found[]): string[] {
  const [first] = findings
  const title = first?.commit ? `${first.commit.slice(0, 10)} ${printable(first.subject ?? '')}` : 'not of one commit'
  return [title, ...findings.flatMap(linesOf)]
}

function linesOf({ level, rule, message, hint }: Finding): string[] {
  return [`  ${level.padEnd(6)} ${message} (${rule})`, ...(hint === '' ? [] : [`         ${hint}`])]
}
