import type { DecodeResult, HookPoint } from './adapter.ts'
import type { CallIdentity, EventHeader, Activity } from './event.ts'
import { type Payload, parsePayload, shortTextOrNull } from '../text/payload.ts'
import { type Phase, toolEvent } from './tool-event.ts'

/** What one payload tells: something to record, and something to answer. */
export type PayloadContent =
  { readonly activity: Activity | null; readonly point: HookPoint | null } | { readonly problem: string }

/** A payload as it was understood. */
export function decodeResult(header: EventHeader, content: PayloadContent): DecodeResult {
  if ('problem' in content) return content
  const { activity, point } = content
  const { session, agent, cwd, model } = header
  return { session, agent, cwd, model, event: activity && { ...header, ...activity }, point }
}

/** Of whom a payload tells, and of which hook, in the words that most agents have for it. */
export function hookIdentity(
  payload: Payload,
): { readonly session: string; readonly name: string } | { problem: string } {
  const session = shortTextOrNull(payload['session_id'])
  const name = shortTextOrNull(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no session_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  return { session, name }
}

/** An agent is about to stop: again, when it was told to go on the last time. */
export function stopPoint(payload: Payload): HookPoint {
  return { at: 'stop', isRepeated: payload['stop_hook_active'] === true }
}

/** What is none of our business. */
export const NO_CONTENT: PayloadContent = { activity: null, point: null }

type NamedToolUse = {
  readonly phase: Phase
  readonly tool: string | null
  readonly input: unknown
  readonly call: CallIdentity
}

/** A use of a tool: it is judged before, and what became of it is told after. */
export function toolUseContent({ phase, tool, input, call }: NamedToolUse): PayloadContent {
  if (tool === null) return { problem: 'It does not name its tool.' }
  const at = phase === 'start' ? 'before-tool' : 'after-tool'
  return { activity: toolEvent({ phase, tool, input, call }), point: { at, tool, input } }
}

/** What a tool is given: some agents hand it over as the text of an object. */
export function toolInput(value: unknown): unknown {
  return typeof value === 'string' ? (parsePayload(value) ?? value) : value
}
