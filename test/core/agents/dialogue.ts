import { expect, test } from 'vitest'
import type { Adapter, HookOutput, HookPoint, Reply } from '../../../src/core/agents/adapter.ts'
import { toolUse } from '../../../src/core/agents/tool-use.ts'

/** A payload, the event to record (without the common fields), and the point to answer. */
export type DecodeRow = readonly [what: string, payload: object, event: object | null, moment: object | null]

/** Compares a decoded payload with a row; `common` has the fields that all events of the agent share. */
export function expectDecoded(adapter: Adapter, [, payload, event, point]: DecodeRow, common: object): void {
  const result = adapter.decode(JSON.parse(JSON.stringify(payload)))
  expect(result).toMatchObject({ point })
  expect('event' in result && result.event).toEqual(event && { ...common, transcript: null, ...event })
}

/** What an agent is told, and how its hook must end. */
export type AnswerRow = readonly [reply: Reply, point: HookPoint | null, output: HookOutput]

/** The tests of one agent's tables: payloads that it sends, and answers that it gets. */
export function testAdapter(
  adapter: Adapter,
  {
    decoded = [],
    common = {},
    answers,
  }: { decoded?: readonly DecodeRow[]; common?: object; answers: readonly AnswerRow[] },
): void {
  test.each(decoded)('hears %s', (...row) => expectDecoded(adapter, row, common))
  test.each(answers)('says %j at %j', (reply, point, output) => {
    expect(adapter.encode(reply, point)).toEqual(output)
  })
}

/** What a hook prints where it ends with 0 and one line of JSON. */
export function printed(value: object): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** A hook that has nothing to say. */
export const SILENT: HookOutput = { stdout: '', stderr: '', exit: 0 }

export const silence = { kind: 'silence' } as const satisfies Reply
export const context = { kind: 'context', text: '<intent_context>&amp;</intent_context>' } as const satisfies Reply
export const deny = { kind: 'deny', text: '{"status":"error","message":"Scope Violation"}' } as const satisfies Reply
export const ask = { kind: 'ask', text: 'May it?' } as const satisfies Reply

/** Every moment at which a hook may be asked, once. */
export const before: HookPoint = { at: 'before-tool', ...toolUse('claude', 'x', {}) }
export const after: HookPoint = { at: 'after-tool', ...toolUse('claude', 'x', {}) }
export const prompt: HookPoint = { at: 'prompt' }
export const start: HookPoint = { at: 'session-start' }
export const compacted: HookPoint = { at: 'compacted' }
export const end: HookPoint = { at: 'session-end' }
export const stop: HookPoint = { at: 'stop', isRepeated: false }
const settings: HookPoint = { at: 'settings-change', path: null }
export const hookPoints: readonly (HookPoint | null)[] = [
  before,
  after,
  prompt,
  start,
  compacted,
  end,
  stop,
  settings,
  null,
]
