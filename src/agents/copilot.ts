import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, SILENT, textOf, type Words } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, inputIn, NOTHING, stopIn, type Story, useOf } from './heard.ts'
import { type Payload, textIn } from './payload.ts'
import type { Phase } from './tool-event.ts'

/**
 * Copilot CLI and its cloud agent. Hooks from `.claude/settings.json` get Claude Code's names from it, but its own
 * inputs, and an answer in Claude Code's shape says nothing to it.
 */
export const copilot: Adapter = { hear: hearCopilot, say: sayToCopilot }

/** True for what Copilot sends to a hook that was written for Claude Code, which never says when it is. */
export function isCopilots(payload: Payload): boolean {
  return 'timestamp' in payload && textIn(payload['hook_event_name']) !== null
}

function hearCopilot(payload: Payload): Heard {
  // An agent below the main one has a session of its own, and works on what the main one works on.
  const session = parentIn(payload) ?? textIn(payload['sessionId'] ?? payload['session_id'])
  if (session === null) return { problem: 'It has no sessionId.' }
  const common: Common = { session, agent: 'copilot', model: null, cwd: textIn(payload['cwd']), transcript: null }
  const name = nameIn(payload)
  return name === null ? { problem: 'It is of no hook that kotef knows.' } : heardOf(common, storyIn(name, payload))
}

function parentIn(payload: Payload): string | null {
  return textIn(payload['parentAgentId'] ?? payload['parent_agent_id'])
}

/** Its own payloads don't say which hook they are for: what they hold has to tell. */
function nameIn(payload: Payload): string | null {
  const name = textIn(payload['hook_event_name'])
  if (name !== null) return name
  if ('toolName' in payload || 'toolArgs' in payload) return ofTool(payload)
  if ('prompt' in payload) return 'transformedPrompt' in payload ? 'UserPromptTransformed' : 'UserPromptSubmit'
  if ('source' in payload) return 'SessionStart'
  if ('stopReason' in payload) return 'agentName' in payload ? 'SubagentStop' : 'Stop'
  if ('reason' in payload) return 'SessionEnd'
  return OTHERS.some(it => it in payload) ? 'Other' : null
}

function ofTool(payload: Payload): string {
  if ('toolResult' in payload) return 'PostToolUse'
  return 'error' in payload ? 'PostToolUseFailure' : 'PreToolUse'
}

const OTHERS = ['trigger', 'agentName', 'errorContext', 'notification_type']

function storyIn(name: string, payload: Payload): Story {
  const phase = PHASES.get(name)
  if (phase) return useIn(phase, payload)
  // What an agent below it begins and ends is no beginning and no end of the main one's.
  if (parentIn(payload) !== null)
    return name === 'UserPromptSubmit' ? { ...NOTHING, moment: { at: 'prompt' } } : NOTHING
  switch (name) {
    case 'SessionStart':
      return { happening: { event: 'session-start' }, moment: { at: 'session-start' } }
    case 'SessionEnd':
      return { happening: { event: 'session-end' }, moment: { at: 'session-end' } }
    case 'UserPromptSubmit':
      return { happening: { event: 'turn-end' }, moment: { at: 'prompt' } }
    case 'Stop':
      return { happening: { event: 'turn-end' }, moment: stopIn(payload) }
    default:
      return NOTHING
  }
}

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

// It names no call, so one is over when the next one begins.
function useIn(phase: Phase, payload: Payload): Story {
  const tool = textIn(payload['toolName'] ?? payload['tool_name'])
  const input = inputIn(payload['toolArgs'] ?? payload['tool_input'])
  const lane = textIn(payload['agentId'] ?? payload['agent_id']) ?? ''
  const use = useOf({ phase, tool, input, call: { call: null, lane } })
  // What is said after a failure would be read another way than what is said after a success.
  return phase === 'failed' && 'moment' in use ? { ...use, moment: null } : use
}

function sayToCopilot(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return SILENT
  if (moment === null) return denial(textOf(reply))
  return answerAt(moment, reply)
}

function answerAt({ at }: Moment, words: Words): Outcome {
  const text = textOf(words)
  switch (at) {
    case 'before-tool':
      if (words.kind === 'deny') return denial(text)
      return words.kind === 'ask' ? answer(decision('ask', text)) : SILENT
    case 'after-tool':
    case 'prompt':
    case 'session-start':
    case 'compacted':
      // None of these can be stopped: the model is told.
      return answer({ additionalContext: text })
    case 'stop':
      return words.kind === 'context' ? SILENT : answer({ decision: 'block', reason: text })
    default:
      return SILENT
  }
}

// Whatever ends with 2 is denied, also where a hook of Claude Code's was expected; the JSON gives the reason.
function denial(text: string): Outcome {
  return { ...answer(decision('deny', text)), stderr: `${text}\n`, exit: 2 }
}

function decision(permissionDecision: string, permissionDecisionReason: string): object {
  return { permissionDecision, permissionDecisionReason }
}
