import { blobOid } from '../git/blob-oid.ts'
import type { Adapter, DecodeResult, HookPoint, HookOutput, Reply } from './adapter.ts'
import type { CallIdentity, EventHeader, Activity } from './event.ts'
import { hookIdentity, stopPoint } from './payload-content.ts'
import { objectOrNull, type Payload, shortTextOrNull } from '../text/payload.ts'
import { modelOrNull } from './models.ts'
import { type Phase, toolEvent } from './tool-event.ts'

/** Claude Code: the JSON that its hooks get on stdin, and the one that it understands on their stdout. */
export const claude: Adapter = { decode: decodeClaude, encode: encodeClaude }

function decodeClaude(payload: Payload): DecodeResult {
  const hook = hookIdentity(payload)
  if ('problem' in hook) return hook
  const { session, name } = hook
  if (CLAUDE_PHASES.has(name) && shortTextOrNull(payload['tool_name']) === null)
    return { problem: 'It has no tool_name.' }
  const header = claudeHeader(session, payload)
  const activity = claudeActivity(name, payload)
  const { agent, cwd, model } = header
  return {
    session,
    agent,
    cwd,
    model,
    event: activity && { ...header, ...activity },
    point: claudeHookPoint(name, payload),
  }
}

function claudeHeader(session: string, payload: Payload): EventHeader {
  const [cwd, transcript] = [shortTextOrNull(payload['cwd']), shortTextOrNull(payload['transcript_path'])]
  return { session, agent: 'claude', model: claudeModel(payload['model']), cwd, transcript }
}

/** A model of Claude's as Agent Trace spells it; null for what is no model. */
export function claudeModel(value: unknown): string | null {
  const name = modelOrNull(value)
  // What Claude Code itself puts into a conversation has a model of this name.
  if (name === null || name === '<synthetic>') return null
  return modelOrNull(name.includes('/') ? name : `anthropic/${name}`)
}

function claudeActivity(name: string, payload: Payload): Activity | null {
  if (name === 'Stop') return { event: 'turn-end', busy: busyLanes(payload) }
  // It speaks to itself when an agent of its own is done in the background.
  if (name === 'UserPromptSubmit') return isTaskNotification(payload) ? null : { event: 'turn-end' }
  const own = SESSION_EVENTS.get(name)
  if (own) return { event: own }
  const phase = CLAUDE_PHASES.get(name)
  if (!phase) return null
  const [tool, input] = [shortTextOrNull(payload['tool_name']) ?? '', payload['tool_input']]
  const event = toolEvent({ phase, tool, input, call: claudeCall(payload) })
  return event?.event === 'write' ? { ...event, before: originalOid(payload) } : event
}

function claudeHookPoint(name: string, payload: Payload): HookPoint | null {
  const [tool, input] = [shortTextOrNull(payload['tool_name']) ?? '', payload['tool_input']]
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
      return stopPoint(payload)
    case 'ConfigChange':
      return { at: 'settings-change', path: shortTextOrNull(payload['file_path']) }
    default:
      return null
  }
}

const SESSION_EVENTS: ReadonlyMap<string, 'session-start' | 'session-end'> = new Map([
  ['SessionStart', 'session-start'],
  ['SessionEnd', 'session-end'],
])

function isTaskNotification(payload: Payload): boolean {
  const prompt = payload['prompt']
  return typeof prompt === 'string' && prompt.startsWith('<task-notification>')
}

// Agents that it started go on in the background, each in a lane of its own.
function busyLanes(payload: Payload): string[] {
  const tasks = payload['background_tasks']
  if (!Array.isArray(tasks)) return []
  const running = tasks
    .slice(0, TASKS_MAX)
    .map(objectOrNull)
    .filter(it => it?.['status'] === 'running')
  return running.flatMap(it => shortTextOrNull(it?.['id']) ?? [])
}

const TASKS_MAX = 1_000

const CLAUDE_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

// Of a call that somebody refused no end is told. The main agent and each of those below it writes one file at a time.
function claudeCall(payload: Payload): CallIdentity {
  return { call: shortTextOrNull(payload['tool_use_id']), lane: shortTextOrNull(payload['agent_id']) ?? '' }
}

function originalOid(payload: Payload): string | null | undefined {
  const before = objectOrNull(payload['tool_response'])?.['originalFile']
  return typeof before === 'string' ? blobOid(Buffer.from(before)) : before === null ? null : undefined
}

/** Where the answer to a moment stands in the JSON, if it may have a context at all. */
const HOOK_EVENT_NAMES: ReadonlyMap<HookPoint['at'], string> = new Map([
  ['before-tool', 'PreToolUse'],
  ['after-tool', 'PostToolUse'],
  ['prompt', 'UserPromptSubmit'],
  ['session-start', 'SessionStart'],
  ['compacted', 'SessionStart'],
])

function encodeClaude(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return { stdout: '', stderr: '', exit: 0 }
  // Whatever it was: of a hook that ends with 2, Claude Code reads stderr, and goes no further.
  if (point === null) return { stdout: '', stderr: `${reply.text}\n`, exit: 2 }
  const answer = claudeAnswer(point, reply)
  return { stdout: answer ? `${JSON.stringify(answer)}\n` : '', stderr: '', exit: 0 }
}

function claudeAnswer({ at }: HookPoint, { kind, text }: Exclude<Reply, { kind: 'silence' }>): object | null {
  const hookEventName = HOOK_EVENT_NAMES.get(at)
  if (at === 'before-tool' && kind !== 'context') {
    return { hookSpecificOutput: { hookEventName, permissionDecision: kind, permissionDecisionReason: text } }
  }
  // Nothing can be blocked where a session begins or ends: the model is told.
  const canBlock = at !== 'session-start' && at !== 'compacted' && at !== 'session-end'
  if (kind !== 'context' && canBlock) return { decision: 'block', reason: text }
  return hookEventName === undefined ? null : { hookSpecificOutput: { hookEventName, additionalContext: text } }
}
