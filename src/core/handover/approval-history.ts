import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { readJsonFile } from './read-json-file.ts'
import { moment, oneOf } from './schema-parts.ts'
import { DESIGN_GATE } from './status-file.ts'
import { WORKFLOW_STATES } from './workflow.ts'

export const HISTORY_FILE = 'approve-design-history.jsonl'

/** One request for changes of the design. */
export type ChangesRequest = z.output<typeof request>

/** Reads the text of an approve-design-history.jsonl: one object a line. Never throws. */
export function readApprovalHistory(
  file: string,
  text: string,
): { readonly value: readonly ChangesRequest[]; readonly problems: readonly Problem[] } {
  const lines = text.split('\n')
  const isClosed = lines.at(-1) === ''
  const readings = (isClosed ? lines.slice(0, -1) : lines).map(it => readJsonFile(file, it, request))
  const ofLines = readings.flatMap(({ problems }, n) => problems.map(it => ({ ...it, line: n + 1 })))
  const torn = { file, line: lines.length, expected: 'a newline at the end', found: 'nothing' }
  const value = readings.flatMap(it => (it.value ? [it.value] : []))
  return { value, problems: isClosed || text === '' ? ofLines : [...ofLines, torn] }
}

/** True for an answer that asks for another design, and says what is wanted. */
export function requestsChanges(answer: string): boolean {
  return /^changes-requested:\s*\S/.test(answer)
}

const request = z.looseObject(
  {
    at: moment,
    decision_id: z.literal(DESIGN_GATE, { error: DESIGN_GATE }),
    answer: z
      .string({ error: 'a text' })
      .refine(requestsChanges, { error: 'a text that begins with changes-requested: and says which' }),
    state_context: oneOf(WORKFLOW_STATES),
  },
  { error: 'an object' },
)
