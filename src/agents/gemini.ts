import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, SILENT, textOf, type Words } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, hookIn, NOTHING, stopIn, type Story, useOf } from './heard.ts'
import { modelBy } from './models.ts'
import { objectIn, type Payload, textIn } from './payload.ts'
import type { Phase } from './tool-event.ts'

/** Gemini CLI: its hooks have names of their own, and it hears of a model only where one is asked. */
export const gemini: Adapter = { hear: hearGemini, say: sayToGemini }

function hearGemini(payload: Payload): Heard {
  const hook = hookIn(payload)
  if ('problem' in hook) return hook
  const { session, name } = hook
  return heardOf(commonIn(session, payload), storyIn(name, payload))
}

function commonIn(session: string, payload: Payload): Common {
  const model = modelBy('google', objectIn(payload['llm_request'])?.['model'])
  return { session, agent: 'gemini', model, cwd: textIn(payload['cwd']), transcript: null }
}

function storyIn(name: string, payload: Payload): Story {
  const phase = PHASES.get(name)
  if (phase) return useIn(phase, payload)
  switch (name) {
    case 'SessionStart':
      return { happening: { event: 'session-start' }, moment: { at: 'session-start' } }
    case 'SessionEnd':
      return { happening: { event: 'session-end' }, moment: { at: 'session-end' } }
    case 'BeforeAgent':
      return { happening: { event: 'turn-end' }, moment: { at: 'prompt' } }
    case 'AfterAgent':
      return { happening: { event: 'turn-end' }, moment: stopIn(payload) }
    case 'BeforeModel':
      return { happening: { event: 'model-named' }, moment: null }
    default:
      return NOTHING
  }
}

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ['BeforeTool', 'start'],
  ['AfterTool', 'end'],
])

// It names no call, so one is over when the next one begins.
function useIn(phase: Phase, payload: Payload): Story {
  const tool = textIn(payload['tool_name'])
  return useOf({ phase, tool, input: payload['tool_input'], call: { call: null, lane: '' } })
}

// Always JSON with a decision, at 0: what a hook that ends with 2 says counts only when it is no JSON of another shape,
// on stdout and on stderr alike.
function sayToGemini(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return SILENT
  const said = moment === null ? denial(textOf(reply)) : answerAt(moment, reply)
  return said ? answer(said) : SILENT
}

function answerAt({ at }: Moment, words: Words): object | null {
  const text = textOf(words)
  const isDenial = words.kind !== 'context'
  switch (at) {
    case 'before-tool':
      return isDenial ? denial(text) : null
    case 'after-tool':
      // It takes the place of what the tool has told.
      return isDenial ? denial(text) : context('AfterTool', text)
    case 'prompt':
      return isDenial ? denial(text) : context('BeforeAgent', text)
    case 'session-start':
      return context('SessionStart', text)
    case 'stop':
      return isDenial ? denial(text) : null
    default:
      return null
  }
}

function denial(reason: string): object {
  return { decision: 'deny', reason }
}

function context(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}
