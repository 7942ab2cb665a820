import { plural } from '../text/printable.ts'
import type { Finding, Problem } from '../findings/finding.ts'

/** Findings as text: a title, then each finding with its hint below. */
export function findingLines(title: string, findings: readonly Finding[]): string {
  return [`${title}, ${plural(findings.length, 'problem')}.`, ...findings.flatMap(linesOfFinding)].join('\n')
}

function linesOfFinding({ level, message, hint }: Finding): string[] {
  return [`  ${level.padEnd(6)} ${message}`, ...(hint === '' ? [] : [`         ${hint}`])]
}

/** A problem as one line: file and line, what was expected, what was found. */
export function problemLine({ file, line, expected, found }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: expected ${expected}, found ${found}`
}
