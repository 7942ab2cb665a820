import type * as z from 'zod'
import { jsonOrUndefined } from '../base/payload.ts'
import { asFormatProblems, type HandoverProblem } from './handover-problem.ts'
import { readJsonFile } from './read-json-file.ts'

/** Reads a message: one JSON document, and no text around it. */
export function readMessage<T>(
  name: string,
  text: string,
  schema: z.ZodType<T>,
): { readonly value: T | null; readonly problems: readonly HandoverProblem[] } {
  const { value, problems } = readJsonFile(name, text, schema)
  if (value === null && jsonOrUndefined(text) === undefined && jsonWithin(text)) {
    const found = 'text around it'
    return { value, problems: [{ ...messageProblem(null, { expected: 'JSON only', found }), file: name }] }
  }
  return { value, problems: asFormatProblems(problems) }
}

/** A problem of a message, which has no path. */
export function messageProblem(
  pointer: string | null,
  { expected, found }: Pick<HandoverProblem, 'expected' | 'found'>,
): HandoverProblem {
  return { rule: 'handover-message', file: 'message', line: null, pointer, expected, found }
}

function jsonWithin(text: string): boolean {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  return from !== -1 && jsonOrUndefined(text.slice(from, to + 1)) !== undefined
}
