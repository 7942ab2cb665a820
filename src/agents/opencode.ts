import {
  type Adapter,
  type DecodeResult,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  type Reply,
  replyText,
} from './adapter.ts'
import type { EventHeader } from './event.ts'
import { decodeResult, NO_CONTENT, type PayloadContent, toolUseContent } from './payload-content.ts'
import { modelOrNull } from './models.ts'
import { type Payload, shortTextOrNull } from '../text/payload.ts'

/** OpenCode has plugins instead of hooks, so both ends are kotef's: `opencode-plugin.ts` sends these payloads. */
export const opencode: Adapter = { decode: decodeOpenCode, encode: encodeOpenCode }

function decodeOpenCode(payload: Payload): DecodeResult {
  const [session, event] = [shortTextOrNull(payload['session']), shortTextOrNull(payload['event'])]
  if (session === null) return { problem: 'It has no session.' }
  if (event === null) return { problem: 'It has no event.' }
  const [model, cwd] = [modelOrNull(payload['model']), shortTextOrNull(payload['cwd'])]
  const header: EventHeader = { session, agent: 'opencode', model, cwd, transcript: null }
  return decodeResult(header, openCodeContent(event, payload))
}

function openCodeContent(event: string, payload: Payload): PayloadContent {
  switch (event) {
    case 'before-tool':
    case 'after-tool':
      return openCodeToolUse(event, payload)
    case 'session-end':
      return { activity: { event }, point: { at: event } }
    case 'prompt':
      return { activity: { event: 'model-named' }, point: { at: event } }
    case 'stop':
      return { activity: { event: 'turn-end' }, point: { at: event, isRepeated: false, endsTurn: true } }
    default:
      return NO_CONTENT
  }
}

// OpenCode runs tools in parallel, and identifies each call.
function openCodeToolUse(event: 'before-tool' | 'after-tool', payload: Payload): PayloadContent {
  const call = shortTextOrNull(payload['call'])
  const tool = shortTextOrNull(payload['tool'])
  const phase = event === 'before-tool' ? 'start' : 'end'
  return toolUseContent({ agent: 'opencode', phase, tool, input: payload['args'], call: { call, lane: call ?? '' } })
}

// The plugin treats a missing answer as a denial, so that a hook that died denies too.
function encodeOpenCode(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return jsonOutput({})
  const isDenial = reply.kind !== 'context' && (point === null || point.at === 'before-tool')
  return jsonOutput(isDenial ? { deny: replyText(reply) } : { context: replyText(reply) })
}
