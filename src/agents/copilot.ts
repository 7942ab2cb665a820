import {
  type Adapter,
  type DecodeResult,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  NO_OUTPUT,
  type Reply,
  replyText,
  type ReplyWithText,
} from './adapter.ts'
import type { EventHeader } from './event.ts'
import {
  decodeResult,
  toolInput,
  NO_CONTENT,
  stopPoint,
  type PayloadContent,
  toolUseContent,
} from './payload-content.ts'
import { type Payload, shortTextOrNull } from '../text/payload.ts'
import type { Phase } from './tool-use.ts'

/**
 * Copilot CLI and its cloud agent. It runs the hooks of `.claude/settings.json` too, with Claude Code's hook names but
 * its own tool inputs, and ignores answers in Claude Code's shape.
 */
export const copilot: Adapter = { decode: decodeCopilot, encode: encodeCopilot }

/** True for a payload that Copilot sends to a Claude Code hook: only Copilot's payloads have a timestamp. */
export function isCopilotPayload(payload: Payload): boolean {
  return 'timestamp' in payload && shortTextOrNull(payload['hook_event_name']) !== null
}

function decodeCopilot(payload: Payload): DecodeResult {
  // A subagent has its own session id; it acts for the main agent's session.
  const session = parentAgent(payload) ?? shortTextOrNull(payload['sessionId'] ?? payload['session_id'])
  if (session === null) return { problem: 'It has no sessionId.' }
  const header: EventHeader = {
    session,
    agent: 'copilot',
    model: null,
    cwd: shortTextOrNull(payload['cwd']),
    transcript: null,
  }
  const name = copilotHookName(payload)
  return name === null
    ? { problem: 'Its hook is not one that kotef knows.' }
    : decodeResult(header, copilotContent(name, payload))
}

function parentAgent(payload: Payload): string | null {
  return shortTextOrNull(payload['parentAgentId'] ?? payload['parent_agent_id'])
}

/** The name of the hook; Copilot's own payloads don't have it, so it is derived from their fields. */
function copilotHookName(payload: Payload): string | null {
  const name = shortTextOrNull(payload['hook_event_name'])
  if (name !== null) return name
  if ('toolName' in payload || 'toolArgs' in payload) return copilotToolHookName(payload)
  if ('prompt' in payload) return 'transformedPrompt' in payload ? 'UserPromptTransformed' : 'UserPromptSubmit'
  if ('source' in payload) return 'SessionStart'
  if ('stopReason' in payload) return 'agentName' in payload ? 'SubagentStop' : 'Stop'
  if ('reason' in payload) return 'SessionEnd'
  return OTHER_HOOK_FIELDS.some(it => it in payload) ? 'Other' : null
}

function copilotToolHookName(payload: Payload): string {
  if ('toolResult' in payload) return 'PostToolUse'
  return 'error' in payload ? 'PostToolUseFailure' : 'PreToolUse'
}

const OTHER_HOOK_FIELDS = ['trigger', 'agentName', 'errorContext', 'notification_type']

function copilotContent(name: string, payload: Payload): PayloadContent {
  const phase = COPILOT_PHASES.get(name)
  if (phase) return copilotToolUse(phase, payload)
  // The start and end of a subagent are not those of the main agent.
  if (parentAgent(payload) !== null)
    return name === 'UserPromptSubmit' ? { ...NO_CONTENT, point: { at: 'prompt' } } : NO_CONTENT
  switch (name) {
    case 'SessionStart':
      return { activity: { event: 'session-start' }, point: { at: 'session-start' } }
    case 'SessionEnd':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    case 'UserPromptSubmit':
      return { activity: { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'Stop':
      return { activity: { event: 'turn-end' }, point: stopPoint(payload) }
    default:
      return NO_CONTENT
  }
}

const COPILOT_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

// Copilot does not identify calls, so one call ends when the next one begins.
function copilotToolUse(phase: Phase, payload: Payload): PayloadContent {
  const tool = shortTextOrNull(payload['toolName'] ?? payload['tool_name'])
  const input = toolInput(payload['toolArgs'] ?? payload['tool_input'])
  const lane = shortTextOrNull(payload['agentId'] ?? payload['agent_id']) ?? ''
  const use = toolUseContent({ agent: 'copilot', phase, tool, input, call: { call: null, lane } })
  // Copilot reads an answer after a failure in another way than after a success, so none is given.
  return phase === 'failed' && 'point' in use ? { ...use, point: null } : use
}

function encodeCopilot(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return NO_OUTPUT
  if (point === null) return copilotDenial(replyText(reply))
  return copilotAnswer(point, reply)
}

function copilotAnswer({ at }: HookPoint, reply: ReplyWithText): HookOutput {
  const text = replyText(reply)
  switch (at) {
    case 'before-tool':
      if (reply.kind === 'deny') return copilotDenial(text)
      return reply.kind === 'ask' ? jsonOutput(permissionAnswer('ask', text)) : NO_OUTPUT
    case 'after-tool':
    case 'prompt':
    case 'session-start':
    case 'compacted':
      // None of these can be blocked: the model gets the text as context.
      return jsonOutput({ additionalContext: text })
    case 'stop':
      return reply.kind === 'context' ? NO_OUTPUT : jsonOutput({ decision: 'block', reason: text })
    default:
      return NO_OUTPUT
  }
}

// Exit code 2 denies everywhere, also where Copilot runs a Claude Code hook; the JSON gives the reason.
function copilotDenial(text: string): HookOutput {
  return { ...jsonOutput(permissionAnswer('deny', text)), stderr: `${text}\n`, exit: 2 }
}

function permissionAnswer(permissionDecision: string, permissionDecisionReason: string): object {
  return { permissionDecision, permissionDecisionReason }
}
