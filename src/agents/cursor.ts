import {
  type Adapter,
  type DecodeResult,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  type Reply,
  replyText,
  type ReplyWithText,
} from './adapter.ts'
import type { EventHeader } from './event.ts'
import { decodeResult, toolInput, NO_CONTENT, type PayloadContent, toolUseContent } from './payload-content.ts'
import { modelFromName } from './models.ts'
import { type Payload, shortTextOrNull } from '../text/payload.ts'
import { type Phase, toolUse } from './tool-use.ts'

/** Cursor: every call gets flat JSON and exit code 0, since under `failClosed` an empty answer is a denial. */
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

// Every call gets an end hook, and several may run at once.
function cursorToolUse(phase: Phase, payload: Payload): PayloadContent {
  const call = shortTextOrNull(payload['tool_use_id'])
  const tool = shortTextOrNull(payload['tool_name'])
  return toolUseContent({
    agent: 'cursor',
    phase,
    tool,
    input: toolInput(payload['tool_input']),
    call: { call, lane: call ?? '' },
  })
}

/** The hooks for one kind of tool: they are answered too, but only `preToolUse` is recorded. */
function specificToolPoint(name: string, payload: Payload): HookPoint | null {
  switch (name) {
    case 'beforeShellExecution':
      return beforeTool('Shell', { command: payload['command'], working_directory: payload['cwd'] })
    case 'beforeMCPExecution':
      return beforeTool(`MCP:${shortTextOrNull(payload['tool_name']) ?? ''}`, toolInput(payload['tool_input']))
    case 'beforeReadFile':
    case 'beforeTabFileRead':
      return beforeTool('Read', { file_path: payload['file_path'] })
    case 'subagentStart':
      return beforeTool('Task', {})
    default:
      return null
  }
}

function beforeTool(tool: string, input: unknown): HookPoint {
  return { at: 'before-tool', ...toolUse('cursor', tool, input) }
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

// Cursor's model reads `user_message`. Cursor would treat `ask` as a denial without its text.
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
      // Newer versions read a context here, older ones ignore it.
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
