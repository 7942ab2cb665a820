import { safe } from '../outgoing/safe-text.ts'
import type { RunEnd, RunState } from './run-state.ts'

/** A saved state of a run, or what is wrong with it. */
export type RunStateReading = { readonly state: RunState } | { readonly problem: string }

/** Checks a saved state, field by field. It comes from a file that anything can damage, so this never throws. */
export function readRunState(saved: unknown): RunStateReading {
  if (!isObject(saved)) return { problem: 'it is not an object' }
  if (saved['version'] !== 2) return { problem: `its version is ${shown(saved['version'])}` }
  const wrong = Object.entries(FIELDS).find(([name, isRight]) => !isRight(saved[name]))
  if (wrong) return { problem: `its ${wrong[0]} is ${shown(saved[wrong[0]])}` }
  return { state: saved as RunState }
}

/**
 * A saved end of a run; null for a damaged one. The evidence of one without a version has texts of calls, and is left
 * out. Throws for a text that is not JSON.
 */
export function readRunEnd(text: string): RunEnd | null {
  const saved: unknown = JSON.parse(text)
  if (!IS_END(saved)) return null
  const { status, rule, evidence, at } = saved as RunEnd
  const isSafe = (saved as Fields)['version'] === END_VERSION
  const known = isSafe ? evidence : safe`It ended under an earlier version of kotef`
  return { status, rule: RULE.test(rule) ? rule : '', evidence: known, at }
}

/** An end as it is saved. */
export function savedEnd(end: RunEnd): object {
  return { version: END_VERSION, ...end }
}

const END_VERSION = 2
const RULE = /^[a-z-]{1,40}$/

type Test = (value: unknown) => boolean
type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isText: Test = value => typeof value === 'string'
const isBoolean: Test = value => typeof value === 'boolean'
const isNumber: Test = value => typeof value === 'number' && Number.isFinite(value)
const isCount: Test = value => Number.isSafeInteger(value) && Number(value) >= 0
// The times that a Date can have.
const isTime: Test = value => isNumber(value) && Math.abs(Number(value)) <= 8.64e15
const oneOf = (words: string): Test => {
  const all = words.split(' ')
  return value => typeof value === 'string' && all.includes(value)
}
const orNull = (test: Test): Test => {
  return value => value === null || test(value)
}
const optional = (test: Test): Test => {
  return value => value === undefined || test(value)
}
const listOf = (test: Test): Test => {
  return value => Array.isArray(value) && value.every(it => test(it))
}
const mapOf = (test: Test): Test => {
  return value => isObject(value) && Object.values(value).every(it => test(it))
}
const shape = (fields: Readonly<Record<string, Test>>): Test => {
  return value => isObject(value) && Object.entries(fields).every(([name, test]) => test(value[name]))
}

const ENDS = 'done_success done_partial aborted_stuck aborted_constraint'
const RESULTS = 'passed failed timeout error skipped stale'
const IS_END = shape({ status: oneOf(ENDS), rule: isText, evidence: isText, at: isTime })
const CALL = { key: isText, what: isText, ended: isText, result: isText, tree: orNull(isText) }

const FIELDS: Readonly<Record<Exclude<keyof RunState, 'version'>, Test>> = {
  terms: shape({ checks: listOf(isText), appetite: orNull(oneOf('Small Batch Big')) }),
  totalSteps: isCount,
  superSteps: isCount,
  idleSteps: isCount,
  unreportedNodes: isCount,
  node: orNull(isText),
  edges: mapOf(
    shape({ name: isText, from: isText, to: isText, taken: isCount, sinceProgress: isCount, reasons: listOf(isText) }),
  ),
  progress: orNull(shape({ step: isCount, what: isText })),
  tree: orNull(isText),
  seen: listOf(isText),
  batch: listOf(
    shape({
      key: isText,
      what: isText,
      ended: isText,
      result: isText,
      isTimeout: isBoolean,
      isPoll: isBoolean,
      failure: orNull(shape({ signature: isText, isInfrastructure: isBoolean })),
      tree: optional(isText),
      does: optional(oneOf('command test install')),
      line: optional(shape({ key: isText, signature: isText })),
    }),
  ),
  calls: listOf(shape(CALL)),
  sameCall: orNull(shape({ ...CALL, isPoll: isBoolean, count: isCount })),
  sameError: orNull(shape({ ...CALL, count: isCount })),
  failures: mapOf(shape({ signature: isText, what: isText, count: isCount, trees: listOf(isText) })),
  returns: mapOf(isCount),
  lastReturn: orNull(isText),
  noopEdits: isCount,
  timeouts: isCount,
  infrastructureErrors: isCount,
  sameMessage: orNull(shape({ text: isText, count: isCount })),
  hardViolation: orNull(isText),
  softViolations: listOf(shape({ rule: isText, count: isCount, detail: isText })),
  checks: listOf(
    shape({ id: isText, command: isText, result: oneOf(RESULTS), tree: orNull(isText), signature: orNull(isText) }),
  ),
  lastTest: orNull(shape({ what: isText, ended: isText })),
  diagnostics: listOf(shape({ severity: oneOf('error warning'), source: isText, message: isText })),
  researchQuality: orNull(isNumber),
  plan: orNull(shape({ steps: isCount })),
  spent: shape({ command: isCount, test: isCount, install: isCount }),
  moved: listOf(isText),
  timeline: listOf(shape({ step: isCount, what: isText })),
  salt: optional(isText),
  startedAt: orNull(isTime),
  end: orNull(IS_END),
}

// What a damaged file has there may be any text.
function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  return typeof value === 'number' ? `not valid: ${value}` : 'not valid'
}
