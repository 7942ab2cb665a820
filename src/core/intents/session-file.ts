import type { Problem } from '../base/finding.ts'
import type { Session } from './session.ts'
import { objectOrNull, parseObject } from '../base/payload.ts'

// Agents' hooks read sessions at every tool call, so this file does not use zod, which takes 25 ms to load.

/** Reads a session file; a damaged one is a problem. Ignores unknown keys, which a later kotef may have added. */
export function readSession(file: string, text: string): { session: Session } | { problem: Problem } {
  const value = parseObject(text)
  const problem = (expected: string, found: string) => ({ problem: { file, line: null, expected, found } })
  if (value === null) return problem('a session as JSON', text.slice(0, 80) || 'nothing')
  for (const [key, isFine] of FIELD_TESTS)
    if (!isFine(value[key])) return problem(`a valid \`${key}\` in a session`, JSON.stringify(value[key]) ?? 'nothing')
  return { session: Object.fromEntries(FIELD_TESTS.map(([key]) => [key, value[key]])) as Session }
}

type FieldTest = (value: unknown) => boolean

const isText: FieldTest = value => typeof value === 'string'
const isName: FieldTest = value => isText(value) && value !== ''
const isTime: FieldTest = value =>
  isText(value) && ISO.test(value as string) && !Number.isNaN(Date.parse(value as string))
const nullable =
  (isFine: FieldTest): FieldTest =>
  value =>
    value === null || isFine(value)

function isRole(value: unknown): boolean {
  const { role, session } = objectOrNull(value) ?? {}
  return isName(role) && isName(session)
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const FIELD_TESTS: readonly (readonly [keyof Session, FieldTest])[] = [
  ['id', isName],
  ['kind', value => value === 'agent' || value === 'person'],
  ['agent', nullable(isText)],
  ['model', nullable(isText)],
  ['intent', isName],
  ['declared', value => typeof value === 'boolean'],
  ['claimedAt', isTime],
  ['heartbeatAt', isTime],
  ['pid', nullable(Number.isInteger)],
  ['host', isText],
  ['baseCommit', nullable(isText)],
  ['endedAt', nullable(isTime)],
  ['handover', value => value === undefined || value === null || isRole(value)],
]
