import type { Heard, Moment } from './adapter.ts'
import type { Call, Common, Happening } from './event.ts'
import { type Payload, payloadIn, textIn } from './payload.ts'
import { type Phase, toolEvent } from './tool-event.ts'

/** What one payload tells: something to record, and something to answer. */
export type Story =
  { readonly happening: Happening | null; readonly moment: Moment | null } | { readonly problem: string }

/** A payload as it was understood. */
export function heardOf(common: Common, story: Story): Heard {
  if ('problem' in story) return story
  const { happening, moment } = story
  const { session, agent, cwd, model } = common
  return { session, agent, cwd, model, event: happening && { ...common, ...happening }, moment }
}

/** Of whom a payload tells, and of which hook, in the words that most agents have for it. */
export function hookIn(payload: Payload): { readonly session: string; readonly name: string } | { problem: string } {
  const session = textIn(payload['session_id'])
  const name = textIn(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no session_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  return { session, name }
}

/** An agent is about to stop: again, when it was told to go on the last time. */
export function stopIn(payload: Payload): Moment {
  return { at: 'stop', isRepeated: payload['stop_hook_active'] === true }
}

/** What is none of our business. */
export const NOTHING: Story = { happening: null, moment: null }

type Use = { readonly phase: Phase; readonly tool: string | null; readonly input: unknown; readonly call: Call }

/** A use of a tool: it is judged before, and what became of it is told after. */
export function useOf({ phase, tool, input, call }: Use): Story {
  if (tool === null) return { problem: 'It does not name its tool.' }
  const at = phase === 'start' ? 'before-tool' : 'after-tool'
  return { happening: toolEvent({ phase, tool, input, call }), moment: { at, tool, input } }
}

/** What a tool is given: some agents hand it over as the text of an object. */
export function inputIn(value: unknown): unknown {
  return typeof value === 'string' ? (payloadIn(value) ?? value) : value
}
