import type { Problem } from '../base/finding.ts'

/** The rules of the handover contract; each has a page. */
export const HANDOVER_RULES = [
  ...(['handover-format', 'handover-missing', 'handover-decision', 'handover-transition', 'handover-task'] as const),
  ...(['handover-retries', 'handover-approval', 'handover-done', 'handover-read-only', 'handover-role'] as const),
  ...(['handover-message', 'handover-stale'] as const),
] as const

export type HandoverRule = (typeof HANDOVER_RULES)[number]

/** A broken rule of the contract, with the place in the file: a line, and a pointer such as `tasks/T-001/status`. */
export type HandoverProblem = Problem & {
  readonly rule: HandoverRule
  readonly pointer: string | null
  /** For what a person has to look at, because no program can see here whether it is right. */
  readonly level?: 'review'
}

/** Makes problems of one file. */
export function problemsOf(file: string) {
  return (
    rule: HandoverRule,
    pointer: string | null,
    { expected, found }: Pick<Problem, 'expected' | 'found'>,
  ): HandoverProblem => ({ rule, file, line: null, pointer, expected, found })
}

/** Problems of a file's form, by the rule for all of them. */
export function asFormatProblems(problems: readonly Problem[]): HandoverProblem[] {
  return problems.map(it => ({ ...it, rule: 'handover-format', pointer: null }))
}
