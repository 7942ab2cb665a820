import type { DecodeResult, HookPoint } from './adapter.ts'
import type { CallIdentity, EventHeader, Activity } from './event.ts'
import { type Payload, parsePayload, shortTextOrNull } from '../text/payload.ts'
import { type Phase, toolEvent, toolUse } from './tool-use.ts'

/** The content of one payload: an activity to record, and a point to answer. */
export type PayloadContent =
  { readonly activity: Activity | null; readonly point: HookPoint | null } | { readonly problem: string }

/** Joins the header of a payload and its content. */
export function decodeResult(header: EventHeader, content: PayloadContent): DecodeResult {
  if ('problem' in content) return content
  const { activity, point } = content
  const { session, agent, cwd, model } = header
  return { session, agent, cwd, model, event: activity && { ...header, ...activity }, point }
}

/** Decodes a payload that names its session and its hook in the fields that most agents use. */
export function decodeNamedHook(
  payload: Payload,
  headerOf: (session: string, payload: Payload) => EventHeader,
  contentOf: (name: string, payload: Payload) => PayloadContent,
): DecodeResult {
  const session = shortTextOrNull(payload['session_id'])
  const name = shortTextOrNull(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no session_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  return decodeResult(headerOf(session, payload), contentOf(name, payload))
}

/** The agent is about to stop; `isRepeated` when a hook already made it continue. */
export function stopPoint(payload: Payload): HookPoint {
  return { at: 'stop', isRepeated: payload['stop_hook_active'] === true }
}

/** A hook that kotef neither records nor answers. */
export const NO_CONTENT: PayloadContent = { activity: null, point: null }

type NamedToolUse = {
  readonly agent: string
  readonly phase: Phase
  readonly tool: string | null
  readonly input: unknown
  readonly call: CallIdentity
}

/** One use of a tool: to judge before it runs, and to record after it has run. */
export function toolUseContent({ agent, phase, tool, input, call }: NamedToolUse): PayloadContent {
  if (tool === null) return { problem: 'It does not name its tool.' }
  const use = toolUse(agent, tool, input)
  const at = phase === 'start' ? 'before-tool' : 'after-tool'
  return {
    activity: toolEvent({ phase, use, call }),
    point: { at, ...(phase === 'failed' && { hasFailed: true }), ...use },
  }
}

/** A tool's input; some agents send the object as JSON text. */
export function toolInput(value: unknown): unknown {
  return typeof value === 'string' ? (parsePayload(value) ?? value) : value
}
