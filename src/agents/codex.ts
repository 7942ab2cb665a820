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
import { type Payload, shortTextOrNull } from '../text/payload.ts'
import type { Phase } from './tool-use.ts'

/** Codex CLI: nearly Claude Code's JSON, but it rejects an answer that has an unknown key. */
export const codex: Adapter = { decode: it => decodeNamedHook(it, codexHeader, codexContent), encode: encodeCodex }

function codexHeader(session: string, payload: Payload): EventHeader {
  const [model, cwd] = [qualifiedModel('openai', payload['model']), shortTextOrNull(payload['cwd'])]
  return { session, agent: 'codex', model, cwd, transcript: null }
}

function codexContent(name: string, payload: Payload): PayloadContent {
  const phase = CODEX_PHASES.get(name)
  if (phase) return codexToolUse(phase, payload)
  switch (name) {
    case 'SessionStart':
      return { activity: { event: 'session-start' }, point: { at: codexStartPoint(payload) } }
    case 'SessionEnd':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    case 'UserPromptSubmit':
      return { activity: { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'Stop':
      return { activity: { event: 'turn-end' }, point: stopPoint(payload) }
    case 'Interrupt':
      return { activity: { event: 'turn-end' }, point: null }
    default:
      return NO_CONTENT
  }
}

const CODEX_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
])

// The main agent and each subagent runs one tool at a time.
function codexToolUse(phase: Phase, payload: Payload): PayloadContent {
  const call = { call: shortTextOrNull(payload['tool_use_id']), lane: shortTextOrNull(payload['agent_id']) ?? '' }
  return toolUseContent({
    agent: 'codex',
    phase,
    tool: shortTextOrNull(payload['tool_name']),
    input: payload['tool_input'],
    call,
  })
}

function codexStartPoint(payload: Payload) {
  return payload['source'] === 'compact' ? 'compacted' : 'session-start'
}

function encodeCodex(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return NO_OUTPUT
  if (point === null) return { stdout: '', stderr: `${replyText(reply)}\n`, exit: 2 }
  const answer = codexAnswer(point, reply)
  return answer ? jsonOutput(answer) : NO_OUTPUT
}

// Codex treats `ask` and `continue: false` as errors of the hook, and after an error it lets the tool run.
function codexAnswer({ at }: HookPoint, reply: ReplyWithText): object | null {
  const text = replyText(reply)
  const isDenial = reply.kind !== 'context'
  switch (at) {
    case 'before-tool':
      return isDenial
        ? hookSpecificOutput('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: text })
        : hookSpecificOutput('PreToolUse', { additionalContext: text })
    case 'after-tool':
      return isDenial
        ? { decision: 'block', reason: text }
        : hookSpecificOutput('PostToolUse', { additionalContext: text })
    case 'prompt':
      return isDenial
        ? { decision: 'block', reason: text }
        : hookSpecificOutput('UserPromptSubmit', { additionalContext: text })
    case 'session-start':
    case 'compacted':
      return hookSpecificOutput('SessionStart', { additionalContext: text })
    case 'stop':
      return isDenial ? { decision: 'block', reason: text } : null
    default:
      return null
  }
}

function hookSpecificOutput(hookEventName: string, more: object): object {
  return { hookSpecificOutput: { hookEventName, ...more } }
}
