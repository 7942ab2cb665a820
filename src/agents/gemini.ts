import {
  type Adapter,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  NO_OUTPUT,
  type Reply,
  replyText,
  type ReplyWithText,
} from './adapter.ts'
import type { EventHeader } from './event.ts'
import { decodeNamedHook, NO_CONTENT, stopPoint, type PayloadContent, toolUseContent } from './payload-content.ts'
import { qualifiedModel } from './models.ts'
import { objectOrNull, type Payload, shortTextOrNull } from '../text/payload.ts'
import type { Phase } from './tool-use.ts'

/** Gemini CLI: its hooks have their own names, and only `BeforeModel` names the model. */
export const gemini: Adapter = { decode: it => decodeNamedHook(it, geminiHeader, geminiContent), encode: encodeGemini }

function geminiHeader(session: string, payload: Payload): EventHeader {
  const model = qualifiedModel('google', objectOrNull(payload['llm_request'])?.['model'])
  return { session, agent: 'gemini', model, cwd: shortTextOrNull(payload['cwd']), transcript: null }
}

function geminiContent(name: string, payload: Payload): PayloadContent {
  const phase = GEMINI_PHASES.get(name)
  if (phase) return geminiToolUse(phase, payload)
  switch (name) {
    case 'SessionStart':
      return { activity: { event: 'session-start' }, point: { at: 'session-start' } }
    case 'SessionEnd':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    case 'BeforeAgent':
      return { activity: { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'AfterAgent':
      return { activity: { event: 'turn-end' }, point: stopPoint(payload) }
    case 'BeforeModel':
      return { activity: { event: 'model-named' }, point: null }
    default:
      return NO_CONTENT
  }
}

const GEMINI_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['BeforeTool', 'start'],
  ['AfterTool', 'end'],
])

// Gemini CLI does not identify calls, so one call ends when the next one begins.
function geminiToolUse(phase: Phase, payload: Payload): PayloadContent {
  const tool = shortTextOrNull(payload['tool_name'])
  return toolUseContent({ agent: 'gemini', phase, tool, input: payload['tool_input'], call: { call: null, lane: '' } })
}

// Always JSON with a decision, and exit code 0: Gemini CLI ignores exit code 2 when stdout or stderr is JSON of
// another shape.
function encodeGemini(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return NO_OUTPUT
  const answer = point === null ? geminiDenial(replyText(reply)) : geminiAnswer(point, reply)
  return answer ? jsonOutput(answer) : NO_OUTPUT
}

function geminiAnswer({ at }: HookPoint, reply: ReplyWithText): object | null {
  const text = replyText(reply)
  const isDenial = reply.kind !== 'context'
  switch (at) {
    case 'before-tool':
      return isDenial ? geminiDenial(text) : null
    case 'after-tool':
      // The text replaces the tool's output.
      return isDenial ? geminiDenial(text) : geminiContext('AfterTool', text)
    case 'prompt':
      return isDenial ? geminiDenial(text) : geminiContext('BeforeAgent', text)
    case 'session-start':
      return geminiContext('SessionStart', text)
    case 'stop':
      return isDenial ? geminiDenial(text) : null
    default:
      return null
  }
}

function geminiDenial(reason: string): object {
  return { decision: 'deny', reason }
}

function geminiContext(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}
