import { counted } from './counted.ts'
import type { Finding, Problem } from './finding.ts'

/** Findings as text: what happened, one line per problem with its way out below. */
export function findingLines(title: string, findings: readonly Finding[]): string {
  return [`${title}, ${counted(findings.length, 'problem')}.`, ...findings.flatMap(linesOf)].join('\n')
}

function linesOf({ level, message, hint }: Finding): string[] {
  return [`  ${level.padEnd(6)} ${message}`, ...(hint === '' ? [] : [`         ${hint}`])]
}

/** A problem of a file as one line: where, what was expected, what was found. */
export function problemLine({ file, line, expected, found }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: expected ${expected}, found ${found}`
}
