import { blobOid } from '../diff/blob.ts'
import type { Call, Common, Happening, Heard } from './event.ts'
import { modelIn, objectIn, type Payload, textIn } from './payload.ts'

/** Claude Code: the JSON that its hooks get on stdin. */
export function hearClaude(payload: Payload): Heard {
  const session = textIn(payload['session_id'])
  const name = textIn(payload['hook_event_name'])
  if (session === null) return { problem: 'It has no session_id.' }
  if (name === null) return { problem: 'It has no hook_event_name.' }
  const happening = happeningIn(name, payload)
  return { event: happening && { ...commonIn(session, payload), ...happening } }
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
  const own = EVENTS.get(name)
  if (own) return { event: own }
  const phase = PHASES.get(name)
  if (!phase) return null
  const tool = textIn(payload['tool_name']) ?? ''
  if (tool === 'Bash') return { event: phase === 'start' ? 'exec-start' : 'exec-end', ...callIn(payload) }
  return WRITERS.test(tool) ? writeIn(phase, payload) : null
}

const EVENTS: ReadonlyMap<string, 'session-start' | 'session-end' | 'turn-end'> = new Map([
  ['SessionStart', 'session-start'],
  ['SessionEnd', 'session-end'],
  ['UserPromptSubmit', 'turn-end'],
  ['Stop', 'turn-end'],
])

type Phase = 'start' | 'end' | 'failed'

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

const WRITERS = /^(Write|Edit|MultiEdit|NotebookEdit)$/

function writeIn(phase: Phase, payload: Payload): Happening | null {
  const input = objectIn(payload['tool_input'])
  const path = textIn(input?.['file_path'] ?? input?.['notebook_path'])
  if (path === null) return null
  const call = callIn(payload)
  if (phase === 'end') return { event: 'write', path, ...call, before: beforeIn(payload) }
  return { event: phase === 'start' ? 'write-start' : 'write-failed', path, ...call }
}

// Of a call that somebody refused no end is told. The main agent and each of those below it writes one file at a time.
function callIn(payload: Payload): Call {
  return { call: textIn(payload['tool_use_id']), lane: textIn(payload['agent_id']) ?? '' }
}

function beforeIn(payload: Payload): string | null | undefined {
  const before = objectIn(payload['tool_response'])?.['originalFile']
  return typeof before === 'string' ? blobOid(Buffer.from(before)) : before === null ? null : undefined
}
