import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import { answer, textOf } from './answer.ts'
import type { Common } from './event.ts'
import { heardOf, NOTHING, type Story, useOf } from './heard.ts'
import { modelIn, type Payload, textIn } from './payload.ts'

/** OpenCode has plugins instead of hooks, so both ends are kotef's: `opencode-plugin.ts` sends what is heard here. */
export const opencode: Adapter = { hear: hearOpenCode, say: sayToOpenCode }

function hearOpenCode(payload: Payload): Heard {
  const [session, event] = [textIn(payload['session']), textIn(payload['event'])]
  if (session === null) return { problem: 'It has no session.' }
  if (event === null) return { problem: 'It has no event.' }
  const [model, cwd] = [modelIn(payload['model']), textIn(payload['cwd'])]
  const common: Common = { session, agent: 'opencode', model, cwd, transcript: null }
  return heardOf(common, storyIn(event, payload))
}

function storyIn(event: string, payload: Payload): Story {
  switch (event) {
    case 'before-tool':
    case 'after-tool':
      return useIn(event, payload)
    case 'session-end':
      return { happening: { event }, moment: { at: event } }
    case 'prompt':
      return { happening: { event: 'model-named' }, moment: { at: event } }
    case 'stop':
      return { happening: { event: 'turn-end' }, moment: { at: event, isRepeated: false } }
    default:
      return NOTHING
  }
}

// Its tools run side by side, and each call has a name.
function useIn(event: 'before-tool' | 'after-tool', payload: Payload): Story {
  const call = textIn(payload['call'])
  const tool = textIn(payload['tool'])
  const phase = event === 'before-tool' ? 'start' : 'end'
  return useOf({ phase, tool, input: payload['args'], call: { call, lane: call ?? '' } })
}

// The plugin takes no answer for a denial, so that a hook which died denies as well.
function sayToOpenCode(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return answer({})
  const isDenial = reply.kind !== 'context' && (moment === null || moment.at === 'before-tool')
  return answer(isDenial ? { deny: textOf(reply) } : { context: textOf(reply) })
}
