import { blobOid } from '../diff/blob.ts'
import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import type { Call, Common, Happening } from './event.ts'
import { hookIn, stopIn } from './heard.ts'
import { modelIn, objectIn, type Payload, textIn } from './payload.ts'
import { type Phase, toolEvent } from './tool-event.ts'

/** Claude Code: the JSON that its hooks get on stdin, and the one that it understands on their stdout. */
export const claude: Adapter = { hear: hearClaude, say: sayToClaude }

function hearClaude(payload: Payload): Heard {
  const hook = hookIn(payload)
  if ('problem' in hook) return hook
  const { session, name } = hook
  if (PHASES.has(name) && textIn(payload['tool_name']) === null) return { problem: 'It has no tool_name.' }
  const common = commonIn(session, payload)
  const happening = happeningIn(name, payload)
  const { agent, cwd, model } = common
  return {
    session,
    agent,
    cwd,
    model,
    event: happening && { ...common, ...happening },
    moment: momentIn(name, payload),
  }
}

function commonIn(session: string, payload: Payload): Common {
  const [cwd, transcript] = [textIn(payload['cwd']), textIn(payload['transcript_path'])]
  return { session, agent: 'claude', model: claudeModel(payload['model']), cwd, transcript }
}

/** A model of Claude's as Agent Trace spells it; null for what is no model. */
export function claudeModel(value: unknown): string | null {
  const name = modelIn(value)
  // What Claude Code itself puts into a conversation has a model of this name.
  if (name === null || name === '<synthetic>') return null
  return modelIn(name.includes('/') ? name : `anthropic/${name}`)
}

function happeningIn(name: string, payload: Payload): Happening | null {
  if (name === 'Stop') return { event: 'turn-end', busy: busyLanes(payload) }
  // It speaks to itself when an agent of its own is done in the background.
  if (name === 'UserPromptSubmit') return isNotice(payload) ? null : { event: 'turn-end' }
  const own = EVENTS.get(name)
  if (own) return { event: own }
  const phase = PHASES.get(name)
  if (!phase) return null
  const [tool, input] = [textIn(payload['tool_name']) ?? '', payload['tool_input']]
  const event = toolEvent({ phase, tool, input, call: callIn(payload) })
  return event?.event === 'write' ? { ...event, before: beforeIn(payload) } : event
}

function momentIn(name: string, payload: Payload): Moment | null {
  const [tool, input] = [textIn(payload['tool_name']) ?? '', payload['tool_input']]
  switch (name) {
    case 'PreToolUse':
      return { at: 'before-tool', tool, input }
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { at: 'after-tool', tool, input }
    case 'UserPromptSubmit':
      return { at: 'prompt' }
    case 'SessionStart':
      return { at: payload['source'] === 'compact' ? 'compacted' : 'session-start' }
    case 'SessionEnd':
      return { at: 'session-end' }
    case 'Stop':
      return stopIn(payload)
    case 'ConfigChange':
      return { at: 'settings-change', path: textIn(payload['file_path']) }
    default:
      return null
  }
}

const EVENTS: ReadonlyMap<string, 'session-start' | 'session-end'> = new Map([
  ['SessionStart', 'session-start'],
  ['SessionEnd', 'session-end'],
])

function isNotice(payload: Payload): boolean {
  const prompt = payload['prompt']
  return typeof prompt === 'string' && prompt.startsWith('<task-notification>')
}

// Agents that it started go on in the background, each in a lane of its own.
function busyLanes(payload: Payload): string[] {
  const tasks = payload['background_tasks']
  if (!Array.isArray(tasks)) return []
  const running = tasks
    .slice(0, TASKS_MAX)
    .map(objectIn)
    .filter(it => it?.['status'] === 'running')
  return running.flatMap(it => textIn(it?.['id']) ?? [])
}

const TASKS_MAX = 1_000

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

// Of a call that somebody refused no end is told. The main agent and each of those below it writes one file at a time.
function callIn(payload: Payload): Call {
  return { call: textIn(payload['tool_use_id']), lane: textIn(payload['agent_id']) ?? '' }
}

function beforeIn(payload: Payload): string | null | undefined {
  const before = objectIn(payload['tool_response'])?.['originalFile']
  return typeof before === 'string' ? blobOid(Buffer.from(before)) : before === null ? null : undefined
}

/** Where the answer to a moment stands in the JSON, if it may have a context at all. */
const NAMES: ReadonlyMap<Moment['at'], string> = new Map([
  ['before-tool', 'PreToolUse'],
  ['after-tool', 'PostToolUse'],
  ['prompt', 'UserPromptSubmit'],
  ['session-start', 'SessionStart'],
  ['compacted', 'SessionStart'],
])

function sayToClaude(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return { stdout: '', stderr: '', exit: 0 }
  // Whatever it was: of a hook that ends with 2, Claude Code reads stderr, and goes no further.
  if (moment === null) return { stdout: '', stderr: `${reply.text}\n`, exit: 2 }
  const answer = answerAt(moment, reply)
  return { stdout: answer ? `${JSON.stringify(answer)}\n` : '', stderr: '', exit: 0 }
}

function answerAt({ at }: Moment, { kind, text }: Exclude<Reply, { kind: 'silence' }>): object | null {
  const hookEventName = NAMES.get(at)
  if (at === 'before-tool' && kind !== 'context') {
    return { hookSpecificOutput: { hookEventName, permissionDecision: kind, permissionDecisionReason: text } }
  }
  // Nothing can be blocked where a session begins or ends: the model is told.
  const canBlock = at !== 'session-start' && at !== 'compacted' && at !== 'session-end'
  if (kind !== 'context' && canBlock) return { decision: 'block', reason: text }
  return hookEventName === undefined ? null : { hookSpecificOutput: { hookEventName, additionalContext: text } }
}
