import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, textOf, type Words } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, inputIn, NOTHING, type Story, useOf } from './heard.ts'
import { modelNamed } from './models.ts'
import { type Payload, textIn } from './payload.ts'
import type { Phase } from './tool-event.ts'

/** Cursor: flat JSON at 0 to every call, as a hook that fails closed has to allow what it allows. */
export const cursor: Adapter = { hear: hearCursor, say: sayToCursor }

function hearCursor(payload: Payload): Heard {
  const session = textIn(payload['conversation_id'] ?? payload['session_id'])
  const name = textIn(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no conversation_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  return heardOf(commonIn(session, payload), storyIn(name, payload))
}

function commonIn(session: string, payload: Payload): Common {
  const [roots, model] = [payload['workspace_roots'], modelNamed(payload['model'])]
  const cwd = textIn(payload['cwd']) ?? (Array.isArray(roots) ? textIn(roots[0]) : null)
  return { session, agent: 'cursor', model, cwd, transcript: null }
}

function storyIn(name: string, payload: Payload): Story {
  const phase = PHASES.get(name)
  if (phase) return useIn(phase, payload)
  switch (name) {
    case 'sessionStart':
      return { happening: { event: 'session-start' }, moment: { at: 'session-start' } }
    case 'sessionEnd':
      return { happening: { event: 'session-end' }, moment: { at: 'session-end' } }
    case 'beforeSubmitPrompt':
      return { happening: { event: 'turn-end' }, moment: { at: 'prompt' } }
    case 'stop':
      return { happening: { event: 'turn-end' }, moment: stopIn(payload) }
    default:
      return { ...NOTHING, moment: alsoAsked(name, payload) }
  }
}

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['preToolUse', 'start'],
  ['postToolUse', 'end'],
  ['postToolUseFailure', 'failed'],
])

// Of each call an end is told, and several may be under way.
function useIn(phase: Phase, payload: Payload): Story {
  const call = textIn(payload['tool_use_id'])
  const tool = textIn(payload['tool_name'])
  return useOf({ phase, tool, input: inputIn(payload['tool_input']), call: { call, lane: call ?? '' } })
}

/** The hooks for one kind of tool: they are answered as well, but of the call itself `preToolUse` tells. */
function alsoAsked(name: string, payload: Payload): Moment | null {
  const input = inputIn(payload['tool_input'])
  switch (name) {
    case 'beforeShellExecution':
      return {
        at: 'before-tool',
        tool: 'Shell',
        input: { command: payload['command'], working_directory: payload['cwd'] },
      }
    case 'beforeMCPExecution':
      return { at: 'before-tool', tool: `MCP:${textIn(payload['tool_name']) ?? ''}`, input }
    case 'beforeReadFile':
    case 'beforeTabFileRead':
      return { at: 'before-tool', tool: 'Read', input: { file_path: payload['file_path'] } }
    case 'subagentStart':
      return { at: 'before-tool', tool: 'Task', input: {} }
    default:
      return null
  }
}

function stopIn(payload: Payload): Moment {
  const loops = payload['loop_count']
  return { at: 'stop', isRepeated: typeof loops === 'number' && loops > 0 }
}

function sayToCursor(reply: Reply, moment: Moment | null): Outcome {
  if (moment === null) return answer(reply.kind === 'silence' ? ALLOWED : { ...denial(textOf(reply)), continue: false })
  return answer(reply.kind === 'silence' ? nothingAt(moment) : answerAt(moment, reply))
}

const ALLOWED = { permission: 'allow' }

function nothingAt({ at }: Moment): object {
  if (at === 'before-tool') return ALLOWED
  return at === 'prompt' ? { continue: true } : {}
}

// Its model reads `user_message`. `ask` would be a denial, without the words.
function answerAt(moment: Moment, words: Words): object {
  const text = textOf(words)
  const isDenial = words.kind !== 'context'
  switch (moment.at) {
    case 'before-tool':
      return isDenial ? denial(text) : nothingAt(moment)
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

function denial(text: string): object {
  return { permission: 'deny', user_message: text, agent_message: text }
}
