import { plural } from '../base/printable.ts'
import type { Finding, Problem } from '../base/finding.ts'
import { findingSentence } from './finding-sentence.ts'

/**
 * Findings as text: a title, then each finding with its hint below. Findings in a row that share a hint have it once.
 * Of more than `countMax` findings the others are counted.
 */
export function findingLines(title: string, findings: readonly Finding[], countMax = Infinity): string {
  const counts = findingCounts(findings.filter(it => it.level !== 'observe'))
  return [`${title}, ${counts}.`, ...untitledFindingLines(findings, countMax)].join('\n')
}

/** The same without the title. */
export function untitledFindingLines(findings: readonly Finding[], countMax: number): string[] {
  const printed = findings.filter(it => it.level !== 'observe')
  const shown = printed.slice(0, countMax)
  const more = printed.length - shown.length
  const lines = shown.flatMap((it, n) => linesOfFinding(it, shown[n + 1]))
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])]
}

/** The number of problems, and of things that a person should look at: these stop nothing. */
export function findingCounts(findings: readonly Pick<Finding, 'level'>[]): string {
  const blocking = findings.filter(it => it.level === 'block').length
  const observed = findings.filter(it => it.level === 'observe').length
  const others = findings.length - blocking - observed
  const parts = [others > 0 ? `${plural(others, 'thing')} to look at` : '', observed > 0 ? `${observed} observed` : '']
  return [plural(blocking, 'problem'), ...parts.filter(it => it !== '')].join(', ')
}

function linesOfFinding(finding: Finding, next: Finding | undefined): string[] {
  const { level, hint } = finding
  return [
    `  ${level.padEnd(6)} ${findingSentence(finding)}`,
    ...(hint === '' || hint === next?.hint ? [] : [`         ${hint}`]),
  ]
}

/** A problem as one line: file and line, what was expected, what was found. */
export function problemLine({ file, line, expected, found }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: expected ${expected}, found ${found}`
}
