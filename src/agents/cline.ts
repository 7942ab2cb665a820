import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, textOf } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, inputIn, NOTHING, type Story, useOf } from './heard.ts'
import { modelBy, modelNamed } from './models.ts'
import { jsonIn, objectIn, type Payload, textIn } from './payload.ts'

/** Cline, as an extension and as a command: both run the same files, and name the same hooks in two ways. */
export const cline: Adapter = { hear: hearCline, say: sayToCline }

function hearCline(payload: Payload): Heard {
  // An agent below the main one has a conversation of its own.
  const root = objectIn(payload['sessionContext'])?.['rootSessionId']
  const session = textIn(root) ?? textIn(payload['taskId'])
  const name = textIn(payload['hookName'])
  if (session === null) return { problem: 'It has no taskId.' }
  if (name === null) return { problem: 'It has no hookName.' }
  return heardOf(commonIn(session, payload), storyIn(name, payload))
}

function commonIn(session: string, payload: Payload): Common {
  const roots = payload['workspaceRoots']
  const cwd = Array.isArray(roots) ? textIn(roots[0]) : null
  return { session, agent: 'cline', model: modelOf(payload['model']), cwd, transcript: null }
}

function modelOf(value: unknown): string | null {
  const model = objectIn(value)
  if (!model) return modelNamed(value)
  const maker = textIn(model['provider'])
  return maker === null ? modelNamed(model['slug']) : modelBy(maker, model['slug'])
}

function storyIn(name: string, payload: Payload): Story {
  switch (name) {
    case 'PreToolUse':
    case 'tool_call':
      return beforeIn(payload)
    case 'PostToolUse':
    case 'tool_result':
      return afterIn(payload)
    case 'TaskStart':
    case 'agent_start':
    case 'TaskResume':
    case 'agent_resume':
      return { happening: { event: 'session-start' }, moment: { at: 'session-start' } }
    case 'UserPromptSubmit':
    case 'prompt_submit':
      return { happening: { event: 'turn-end' }, moment: { at: 'prompt' } }
    case 'session_shutdown':
      return { happening: { event: 'session-end' }, moment: { at: 'session-end' } }
    default:
      return ENDS.has(name) ? { happening: { event: 'turn-end' }, moment: null } : NOTHING
  }
}

const ENDS: ReadonlySet<string> = new Set([
  ...['TaskComplete', 'agent_end', 'TaskCancel', 'agent_abort', 'agent_error'],
])

// Beside the tool itself there is a copy of what it is given, in which everything is text.
function beforeIn(payload: Payload): Story {
  const [own, copy] = [objectIn(payload['tool_call']), objectIn(payload['preToolUse'])]
  const tool = textIn(own?.['name'] ?? copy?.['toolName'])
  return useOf({ phase: 'start', tool, input: givenIn(own?.['input'], copy), call: callIn(own, payload) })
}

function afterIn(payload: Payload): Story {
  const [own, copy] = [objectIn(payload['tool_result']), objectIn(payload['postToolUse'])]
  const tool = textIn(own?.['name'] ?? copy?.['toolName'])
  const phase = copy?.['success'] === false ? 'failed' : 'end'
  return useOf({ phase, tool, input: givenIn(own?.['input'], copy), call: callIn(own, payload) })
}

function givenIn(input: unknown, copy: Payload | null): unknown {
  if (input !== undefined) return inputIn(input)
  const given = objectIn(copy?.['parameters'])
  return given && 'commands' in given ? { ...given, commands: listIn(given['commands']) } : given
}

function listIn(value: unknown): unknown {
  return typeof value === 'string' ? (jsonIn(value) ?? value) : value
}

function callIn(own: Payload | null, payload: Payload) {
  return { call: textIn(own?.['id']), lane: textIn(payload['agent_id']) ?? '' }
}

// It reads `cancel` whatever the hook ends with, and nothing else. A cancelled tool ends the whole run; after a tool
// that would help nobody, so the model is told instead.
function sayToCline(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return answer({ cancel: false })
  const text = textOf(reply)
  const isDenial = reply.kind !== 'context'
  if (isDenial && !isOver(moment)) return answer({ cancel: true, errorMessage: text })
  return answer({ cancel: false, contextModification: text })
}

function isOver(moment: Moment | null): boolean {
  return moment !== null && moment.at !== 'before-tool' && moment.at !== 'prompt'
}
