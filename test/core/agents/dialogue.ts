import { expect } from 'vitest'
import type { Moment, Outcome, Reply } from '../../../src/agents/adapter.ts'
import { adapterOf, hear } from '../../../src/agents/hear.ts'

/** A payload, what of it is recorded, and what is answered: of an event only what the payload tells of itself. */
export type HeardRow = readonly [what: string, payload: object, event: object | null, moment: Moment | null]

/** Holds what an agent's payload is understood as against a row; `common` is what all of its events share. */
export function expectHeard(agent: string, [, payload, event, moment]: HeardRow, common: object): void {
  const heard = hear(agent, JSON.stringify(payload))
  expect(heard).toMatchObject({ moment })
  expect('event' in heard && heard.event).toEqual(event && { ...common, transcript: null, ...event })
}

/** What an agent is told, when a hook has this to say at this moment. */
export function said(agent: string, reply: Reply, moment: Moment | null): Outcome {
  return adapterOf(agent, '').say(reply, moment)
}

/** What a hook prints where it ends with 0 and one line of JSON. */
export function printed(value: object): Outcome {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** A hook that has nothing to say. */
export const SILENT: Outcome = { stdout: '', stderr: '', exit: 0 }

export const silence = { kind: 'silence' } as const satisfies Reply
export const context = { kind: 'context', text: '<intent_context>&amp;</intent_context>' } as const satisfies Reply
export const deny = { kind: 'deny', text: '{"status":"error","message":"Scope Violation"}' } as const satisfies Reply
export const ask = { kind: 'ask', text: 'May it?' } as const satisfies Reply

/** Every moment at which a hook may be asked, once. */
export const before: Moment = { at: 'before-tool', tool: 'x', input: {} }
export const after: Moment = { at: 'after-tool', tool: 'x', input: {} }
export const prompt: Moment = { at: 'prompt' }
export const start: Moment = { at: 'session-start' }
export const compacted: Moment = { at: 'compacted' }
export const end: Moment = { at: 'session-end' }
export const stop: Moment = { at: 'stop', isRepeated: false }
const settings: Moment = { at: 'settings-change', path: null }
export const moments: readonly (Moment | null)[] = [before, after, prompt, start, compacted, end, stop, settings, null]
