import type { Happening, Heard } from './event.ts'
import { modelIn, type Payload, textIn } from './payload.ts'

/** Any agent that can be told what to say: `{"event":"write","session":"…","agent":"…","model":"…","path":"…"}`. */
export function hearGeneric(payload: Payload): Heard {
  const session = textIn(payload['session'])
  if (session === null) return { problem: 'It has no session.' }
  const happening = happeningIn(payload)
  if (typeof happening === 'string') return { problem: happening }
  const [model, cwd] = [modelIn(payload['model']), textIn(payload['cwd'])]
  const common = { session, agent: textIn(payload['agent']) ?? 'generic', model, cwd, transcript: null }
  return { event: { ...common, ...happening } }
}

function happeningIn(payload: Payload): Happening | string {
  const event = textIn(payload['event'])
  const path = textIn(payload['path'])
  const call = textIn(payload['call'])
  const lane = call ?? ''
  switch (event) {
    case 'session-start':
    case 'session-end':
    case 'turn-end':
      return { event }
    case 'exec-start':
    case 'exec-end':
      return { event, call, lane }
    case 'write-start':
    case 'write-failed':
      return path === null ? NO_PATH : { event, path, call, lane }
    case 'write':
      return path === null ? NO_PATH : { event, path, call, lane, before: undefined }
    default:
      return 'Its event is none that kotef knows.'
  }
}

const NO_PATH = 'It has no path.'
