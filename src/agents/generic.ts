import type { Adapter, Heard, Moment, Outcome, Reply } from './adapter.ts'
import type { Happening } from './event.ts'
import { modelIn, type Payload, payloadIn, textIn } from './payload.ts'
import { toolEvent } from './tool-event.ts'

/** Any agent that can be told what to say: `{"event":"write","session":"…","agent":"…","model":"…","path":"…"}`. */
export const generic: Adapter = { hear: hearGeneric, say: sayToAnybody }

function hearGeneric(payload: Payload): Heard {
  const session = textIn(payload['session'])
  if (session === null) return { problem: 'It has no session.' }
  const moment = momentIn(payload)
  if (typeof moment === 'string') return { problem: moment }
  const happening = moment ? happeningAt(moment, payload) : happeningIn(payload)
  if (typeof happening === 'string') return { problem: happening }
  const [model, cwd, agent] = [modelIn(payload['model']), textIn(payload['cwd']), textIn(payload['agent']) ?? 'generic']
  const event = happening && { session, agent, model, cwd, transcript: null, ...happening }
  return { session, agent, cwd, model, event, moment }
}

/** What an agent wants an answer to; null for what it only tells, a text for what can't be understood. */
function momentIn(payload: Payload): Moment | string | null {
  const at = textIn(payload['event'])
  switch (at) {
    case 'before-tool':
    case 'after-tool': {
      const tool = textIn(payload['tool'])
      return tool === null ? 'It has no tool.' : { at, tool, input: payload['input'] }
    }
    case 'prompt':
    case 'compacted':
      return { at }
    case 'stop':
      return { at, isRepeated: payload['repeated'] === true }
    case 'settings-change':
      return { at, path: textIn(payload['path']) }
    default:
      return null
  }
}

function happeningAt(moment: Moment, payload: Payload): Happening | null {
  switch (moment.at) {
    case 'before-tool':
    case 'after-tool': {
      const ended = payload['failed'] === true ? 'failed' : 'end'
      return toolEvent({ ...moment, phase: moment.at === 'before-tool' ? 'start' : ended, call: callIn(payload) })
    }
    case 'prompt':
    case 'stop':
      return { event: 'turn-end' }
    default:
      return null
  }
}

function callIn(payload: Payload) {
  const call = textIn(payload['call'])
  return { call, lane: call ?? '' }
}

function happeningIn(payload: Payload): Happening | string {
  const event = textIn(payload['event'])
  const path = textIn(payload['path'])
  const call = callIn(payload)
  switch (event) {
    case 'session-start':
    case 'session-end':
    case 'turn-end':
      return { event }
    case 'exec-start':
    case 'exec-end':
      return { event, ...call }
    case 'write-start':
    case 'write-failed':
      return path === null ? NO_PATH : { event, paths: [path], ...call }
    case 'write':
      return path === null ? NO_PATH : { event, paths: [path], ...call, before: undefined }
    default:
      return 'Its event is none that kotef knows.'
  }
}

const NO_PATH = 'It has no path.'

// Nobody can be asked through it.
function sayToAnybody(reply: Reply, moment: Moment | null): Outcome {
  if (reply.kind === 'silence') return { stdout: '', stderr: '', exit: 0 }
  if (reply.kind === 'context')
    return { stdout: lineOf({ status: 'success', context: reply.text }), stderr: '', exit: 0 }
  const refusal = payloadIn(reply.text) ?? { status: 'error', message: reply.text }
  return { stdout: lineOf(refusal), stderr: moment === null ? `${reply.text}\n` : '', exit: 2 }
}

function lineOf(answer: object): string {
  return `${JSON.stringify(answer)}\n`
}
