import { expect } from 'vitest'
import type { HookPoint, HookOutput, Reply } from '../../../src/agents/adapter.ts'
import { adapterOf, decodePayload } from '../../../src/agents/decode.ts'
import { toolUse } from '../../../src/agents/tool-use.ts'

/** A payload, what of it is recorded, and what is answered: of an event only what the payload tells of itself. */
export type DecodeRow = readonly [what: string, payload: object, event: object | null, moment: object | null]

/** Holds what an agent's payload is understood as against a row; `common` is what all of its events share. */
export function expectDecoded(agent: string, [, payload, event, point]: DecodeRow, common: object): void {
  const result = decodePayload(agent, JSON.stringify(payload))
  expect(result).toMatchObject({ point })
  expect('event' in result && result.event).toEqual(event && { ...common, transcript: null, ...event })
}

/** What an agent is told, when a hook has this to say at this moment. */
export function encodedReply(agent: string, reply: Reply, moment: HookPoint | null): HookOutput {
  return adapterOf(agent, '').encode(reply, moment)
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
export const before: HookPoint = { at: 'before-tool', ...toolUse('x', {}) }
export const after: HookPoint = { at: 'after-tool', ...toolUse('x', {}) }
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
