import { plural } from '../text/plural.ts'
import type { Finding, Problem } from '../findings/finding.ts'

/** Findings as text: what happened, one line per problem with its way out below. */
export function findingLines(title: string, findings: readonly Finding[]): string {
  return [`${title}, ${plural(findings.length, 'problem')}.`, ...findings.flatMap(linesOfFinding)].join('\n')
}

function linesOfFinding({ level, message, hint }: Finding): string[] {
  return [`  ${level.padEnd(6)} ${message}`, ...(hint === '' ? [] : [`         ${hint}`])]
}

/** A problem of a file as one line: where, what was expected, what was found. */
export function problemLine({ file, line, expected, found }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: expected ${expected}, found ${found}`
}
