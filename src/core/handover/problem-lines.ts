import type { HandoverProblem } from './handover-problem.ts'
import { plural, printable } from '../base/printable.ts'

/** The problems of some sessions, a line each, below a line about each session. */
export function handoverLines(
  sessions: readonly { readonly session: string; readonly problems: readonly HandoverProblem[] }[],
): string[] {
  return sessions.flatMap(({ session, problems }) => [
    `${printable(session)}: ${problems.length === 0 ? 'keeps to the contract' : plural(problems.length, 'problem')}.`,
    ...problems.map(it => `  ${handoverProblemLine(it)}`),
  ])
}

/** A problem as one line: its place, what was expected and found, and the rule. */
export function handoverProblemLine({ rule, file, line, pointer, expected, found }: HandoverProblem): string {
  const at = [line === null ? '' : `:${line}`, pointer === null ? '' : ` ${printable(pointer)}`].join('')
  return `${printable(file)}${at}: expected ${expected}, found ${printable(found)} (${rule})`
}
