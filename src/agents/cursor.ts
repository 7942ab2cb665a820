import type { Adapter, DecodeResult, HookPoint, HookOutput, Reply } from './adapter.ts'
import { jsonOutput, replyText, type ReplyWithText } from './hook-output.ts'
import type { EventHeader } from './event.ts'
import { decodeResult, toolInput, NO_CONTENT, type PayloadContent, toolUseContent } from './payload-content.ts'
import { modelFromName } from './models.ts'
import { type Payload, shortTextOrNull } from '../text/payload.ts'
import type { Phase } from './tool-event.ts'

/** Cursor: flat JSON at 0 to every call, as a hook that fails closed has to allow what it allows. */
export const cursor: Adapter = { decode: decodeCursor, encode: encodeCursor }

function decodeCursor(payload: Payload): DecodeResult {
  const session = shortTextOrNull(payload['conversation_id'] ?? payload['session_id'])
  const name = shortTextOrNull(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no conversation_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  return decodeResult(cursorHeader(session, payload), cursorContent(name, payload))
}

function cursorHeader(session: string, payload: Payload): EventHeader {
  const [roots, model] = [payload['workspace_roots'], modelFromName(payload['model'])]
  const cwd = shortTextOrNull(payload['cwd']) ?? (Array.isArray(roots) ? shortTextOrNull(roots[0]) : null)
  return { session, agent: 'cursor', model, cwd, transcript: null }
}

function cursorContent(name: string, payload: Payload): PayloadContent {
  const phase = CURSOR_PHASES.get(name)
  if (phase) return cursorToolUse(phase, payload)
  switch (name) {
    case 'sessionStart':
      return { activity: { event: 'session-start' }, point: { at: 'session-start' } }
    case 'sessionEnd':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    case 'beforeSubmitPrompt':
      return { activity: { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'stop':
      return { activity: { event: 'turn-end' }, point: cursorStopPoint(payload) }
    default:
      return { ...NO_CONTENT, point: specificToolPoint(name, payload) }
  }
}

const CURSOR_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['preToolUse', 'start'],
  ['postToolUse', 'end'],
  ['postToolUseFailure', 'failed'],
])

// Of each call an end is told, and several may be under way.
function cursorToolUse(phase: Phase, payload: Payload): PayloadContent {
  const call = shortTextOrNull(payload['tool_use_id'])
  const tool = shortTextOrNull(payload['tool_name'])
  return toolUseContent({ phase, tool, input: toolInput(payload['tool_input']), call: { call, lane: call ?? '' } })
}

/** The hooks for one kind of tool: they are answered as well, but of the call itself `preToolUse` tells. */
function specificToolPoint(name: string, payload: Payload): HookPoint | null {
  const input = toolInput(payload['tool_input'])
  switch (name) {
    case 'beforeShellExecution':
      return {
        at: 'before-tool',
        tool: 'Shell',
        input: { command: payload['command'], working_directory: payload['cwd'] },
      }
    case 'beforeMCPExecution':
      return { at: 'before-tool', tool: `MCP:${shortTextOrNull(payload['tool_name']) ?? ''}`, input }
    case 'beforeReadFile':
    case 'beforeTabFileRead':
      return { at: 'before-tool', tool: 'Read', input: { file_path: payload['file_path'] } }
    case 'subagentStart':
      return { at: 'before-tool', tool: 'Task', input: {} }
    default:
      return null
  }
}

function cursorStopPoint(payload: Payload): HookPoint {
  const loops = payload['loop_count']
  return { at: 'stop', isRepeated: typeof loops === 'number' && loops > 0 }
}

function encodeCursor(reply: Reply, point: HookPoint | null): HookOutput {
  if (point === null)
    return jsonOutput(reply.kind === 'silence' ? ALLOWED : { ...cursorDenial(replyText(reply)), continue: false })
  return jsonOutput(reply.kind === 'silence' ? cursorSilence(point) : cursorAnswer(point, reply))
}

const ALLOWED = { permission: 'allow' }

function cursorSilence({ at }: HookPoint): object {
  if (at === 'before-tool') return ALLOWED
  return at === 'prompt' ? { continue: true } : {}
}

// Its model reads `user_message`. `ask` would be a denial, without the words.
function cursorAnswer(point: HookPoint, reply: ReplyWithText): object {
  const text = replyText(reply)
  const isDenial = reply.kind !== 'context'
  switch (point.at) {
    case 'before-tool':
      return isDenial ? cursorDenial(text) : cursorSilence(point)
    case 'after-tool':
    case 'session-start':
      return { additional_context: text }
    case 'prompt':
      // Its newer versions take a context here, the older ones drop it.
      return isDenial ? { continue: false, user_message: text } : { continue: true, additional_context: text }
    case 'stop':
      return isDenial ? { followup_message: text } : {}
    default:
      return {}
  }
}

function cursorDenial(text: string): object {
  return { permission: 'deny', user_message: text, agent_message: text }
}
