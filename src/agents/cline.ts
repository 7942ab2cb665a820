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
import { decodeResult, toolInput, NO_CONTENT, type PayloadContent, toolUseContent } from './payload-content.ts'
import { qualifiedModel, modelFromName } from './models.ts'
import { jsonOrUndefined, objectOrNull, type Payload, shortTextOrNull } from '../text/payload.ts'

/** Cline, as an extension and as a command: both run the same hook files, but name the hooks differently. */
export const cline: Adapter = { decode: decodeCline, encode: encodeCline }

function decodeCline(payload: Payload): DecodeResult {
  // A subagent has its own task id, and the session of the main agent as its root.
  const root = objectOrNull(payload['sessionContext'])?.['rootSessionId']
  const session = shortTextOrNull(root) ?? shortTextOrNull(payload['taskId'])
  const name = shortTextOrNull(payload['hookName'])
  if (session === null) return { problem: 'It has no taskId.' }
  if (name === null) return { problem: 'It has no hookName.' }
  return decodeResult(clineHeader(session, payload), clineContent(name, payload))
}

function clineHeader(session: string, payload: Payload): EventHeader {
  const roots = payload['workspaceRoots']
  const cwd = Array.isArray(roots) ? shortTextOrNull(roots[0]) : null
  return { session, agent: 'cline', model: clineModel(payload['model']), cwd, transcript: null }
}

function clineModel(value: unknown): string | null {
  const model = objectOrNull(value)
  if (!model) return modelFromName(value)
  const maker = shortTextOrNull(model['provider'])
  return maker === null ? modelFromName(model['slug']) : qualifiedModel(maker, model['slug'])
}

function clineContent(name: string, payload: Payload): PayloadContent {
  switch (name) {
    case 'PreToolUse':
    case 'tool_call':
      return contentBeforeTool(payload)
    case 'PostToolUse':
    case 'tool_result':
      return contentAfterTool(payload)
    case 'TaskStart':
    case 'agent_start':
    case 'TaskResume':
    case 'agent_resume':
      return { activity: { event: 'session-start' }, point: { at: 'session-start' } }
    case 'UserPromptSubmit':
    case 'prompt_submit':
      return { activity: { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'session_shutdown':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    default:
      return CLINE_TURN_ENDS.has(name) ? { activity: { event: 'turn-end' }, point: null } : NO_CONTENT
  }
}

const CLINE_TURN_ENDS: ReadonlySet<string> = new Set([
  ...['TaskComplete', 'agent_end', 'TaskCancel', 'agent_abort', 'agent_error'],
])

// `preToolUse` repeats `tool_call`, with every value as text: it is read where `tool_call` is missing.
function contentBeforeTool(payload: Payload): PayloadContent {
  const [own, copy] = [objectOrNull(payload['tool_call']), objectOrNull(payload['preToolUse'])]
  const tool = shortTextOrNull(own?.['name'] ?? copy?.['toolName'])
  return toolUseContent({
    agent: 'cline',
    phase: 'start',
    tool,
    input: clineToolInput(own?.['input'], copy),
    call: clineCall(own, payload),
  })
}

function contentAfterTool(payload: Payload): PayloadContent {
  const [own, copy] = [objectOrNull(payload['tool_result']), objectOrNull(payload['postToolUse'])]
  const tool = shortTextOrNull(own?.['name'] ?? copy?.['toolName'])
  const phase = copy?.['success'] === false ? 'failed' : 'end'
  return toolUseContent({
    agent: 'cline',
    phase,
    tool,
    input: clineToolInput(own?.['input'], copy),
    call: clineCall(own, payload),
  })
}

function clineToolInput(input: unknown, copy: Payload | null): unknown {
  if (input !== undefined) return toolInput(input)
  const fields = objectOrNull(copy?.['parameters'])
  return fields && 'commands' in fields ? { ...fields, commands: clineCommandList(fields['commands']) } : fields
}

function clineCommandList(value: unknown): unknown {
  return typeof value === 'string' ? (jsonOrUndefined(value) ?? value) : value
}

function clineCall(own: Payload | null, payload: Payload) {
  return { call: shortTextOrNull(own?.['id']), lane: shortTextOrNull(payload['agent_id']) ?? '' }
}

// Cline ignores the exit code: only `cancel` counts, and it ends the whole run. After a tool has run, the denial
// goes to the model as text instead.
function encodeCline(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return jsonOutput({ cancel: false })
  const text = replyText(reply)
  const isDenial = reply.kind !== 'context'
  if (isDenial && !isPastBlocking(point)) return jsonOutput({ cancel: true, errorMessage: text })
  return jsonOutput({ cancel: false, contextModification: text })
}

function isPastBlocking(point: HookPoint | null): boolean {
  return point !== null && point.at !== 'before-tool' && point.at !== 'prompt'
}
