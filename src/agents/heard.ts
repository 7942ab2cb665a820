import type { Heard, Moment } from './adapter.ts'
import type { Call, Common, Happening } from './event.ts'
import { payloadIn } from './payload.ts'
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
