import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, SILENT, textOf, type Words } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, hookIn, NOTHING, stopIn, type Story, useOf } from './heard.ts'
import { modelBy } from './models.ts'
import { type Payload, textIn } from './payload.ts'
import type { Phase } from './tool-event.ts'

/** Codex CLI: nearly Claude Code's JSON, but an answer with one key too many is none at all. */
export const codex: Adapter = { hear: hearCodex, say: sayToCodex }

function hearCodex(payload: Payload): Heard {
  const hook = hookIn(payload)
  if ('problem' in hook) return hook
  const { session, name } = hook
  return heardOf(commonIn(session, payload), storyIn(name, payload))
}

function commonIn(session: string, payload: Payload): Common {
  const [model, cwd] = [modelBy('openai', payload['model']), textIn(payload['cwd'])]
  return { session, agent: 'codex', model, cwd, transcript: null }
}

function storyIn(name: string, payload: Payload): Story {
  const phase = PHASES.get(name)
  if (phase) return useIn(phase, payload)
  switch (name) {
    case 'SessionStart':
      return { happening: { event: 'session-start' }, moment: { at: startIn(payload) } }
    case 'SessionEnd':
      return { happening: { event: 'session-end' }, moment: { at: 'session-end' } }
    case 'UserPromptSubmit':
      return { happening: { event: 'turn-end' }, moment: { at: 'prompt' } }
    case 'Stop':
      return { happening: { event: 'turn-end' }, moment: stopIn(payload) }
    case 'Interrupt':
      return { happening: { event: 'turn-end' }, moment: null }
    default:
      return NOTHING
  }
}

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
])

// The main agent and each of those below it does one thing after the other.
function useIn(phase: Phase, payload: Payload): Story {
  const call = { call: textIn(payload['tool_use_id']), lane: textIn(payload['agent_id']) ?? '' }
  return useOf({ phase, tool: textIn(payload['tool_name']), input: payload['tool_input'], call })
}

function startIn(payload: Payload) {
  return payload['source'] === 'compact' ? 'compacted' : 'session-start'
}

function sayToCodex(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return SILENT
  if (moment === null) return { stdout: '', stderr: `${textOf(reply)}\n`, exit: 2 }
  const said = answerAt(moment, reply)
  return said ? answer(said) : SILENT
}

// To Codex, `ask` and `continue: false` are mistakes of the hook, and after a mistake it lets the tool run.
function answerAt({ at }: Moment, words: Words): object | null {
  const text = textOf(words)
  const isDenial = words.kind !== 'context'
  switch (at) {
    case 'before-tool':
      return isDenial
        ? specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: text })
        : specific('PreToolUse', { additionalContext: text })
    case 'after-tool':
      return isDenial ? { decision: 'block', reason: text } : specific('PostToolUse', { additionalContext: text })
    case 'prompt':
      return isDenial ? { decision: 'block', reason: text } : specific('UserPromptSubmit', { additionalContext: text })
    case 'session-start':
    case 'compacted':
      return specific('SessionStart', { additionalContext: text })
    case 'stop':
      return isDenial ? { decision: 'block', reason: text } : null
    default:
      return null
  }
}

function specific(hookEventName: string, more: object): object {
  return { hookSpecificOutput: { hookEventName, ...more } }
}
