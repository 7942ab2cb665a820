import type { Adapter, DecodeResult, HookOutput, HookPoint, Reply } from './adapter.ts'
import type { Activity } from './event.ts'
import { modelOrNull } from './models.ts'
import { type Payload, parsePayload, shortTextOrNull } from '../text/payload.ts'
import { toolEvent, toolUse } from './tool-use.ts'

/** Any other agent: its hooks send kotef's own payload, such as `{"event":"write","session":"…","path":"…"}`. */
export const generic: Adapter = { decode: decodeGeneric, encode: encodeGeneric }

function decodeGeneric(payload: Payload): DecodeResult {
  const session = shortTextOrNull(payload['session'])
  if (session === null) return { problem: 'It has no session.' }
  const point = genericHookPoint(payload)
  if (typeof point === 'string') return { problem: point }
  const activity = point ? activityAt(point, payload) : genericActivity(payload)
  if (typeof activity === 'string') return { problem: activity }
  const [model, cwd, agent] = [modelOrNull(payload['model']), shortTextOrNull(payload['cwd']), agentName(payload)]
  const event = activity && { session, agent, model, cwd, transcript: null, ...activity }
  return { session, agent, cwd, model, event, point }
}

function agentName(payload: Payload): string {
  return shortTextOrNull(payload['agent']) ?? 'generic'
}

/** The point that an event asks an answer for; null for an event that is only recorded, a text for a problem. */
function genericHookPoint(payload: Payload): HookPoint | string | null {
  const at = shortTextOrNull(payload['event'])
  switch (at) {
    case 'before-tool':
    case 'after-tool': {
      const tool = shortTextOrNull(payload['tool'])
      return tool === null ? 'It has no tool.' : { at, ...toolUse(agentName(payload), tool, payload['input']) }
    }
    case 'prompt':
    case 'compacted':
      return { at }
    case 'stop':
      return { at, isRepeated: payload['repeated'] === true }
    case 'settings-change':
      return { at, path: shortTextOrNull(payload['path']) }
    default:
      return null
  }
}

function activityAt(point: HookPoint, payload: Payload): Activity | null {
  switch (point.at) {
    case 'before-tool':
    case 'after-tool': {
      const ended = payload['failed'] === true ? 'failed' : 'end'
      const phase = point.at === 'before-tool' ? 'start' : ended
      return toolEvent({ use: point, phase, call: genericCall(payload) })
    }
    case 'prompt':
    case 'stop':
      return { event: 'turn-end' }
    default:
      return null
  }
}

function genericCall(payload: Payload) {
  const call = shortTextOrNull(payload['call'])
  return { call, lane: call ?? '' }
}

function genericActivity(payload: Payload): Activity | string {
  const event = shortTextOrNull(payload['event'])
  const path = shortTextOrNull(payload['path'])
  const call = genericCall(payload)
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
      return 'Its event is not one that kotef knows.'
  }
}

const NO_PATH = 'It has no path.'

// This form has no way to ask a person, so `ask` denies.
function encodeGeneric(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return { stdout: '', stderr: '', exit: 0 }
  if (reply.kind === 'context')
    return { stdout: jsonLine({ status: 'success', context: reply.text }), stderr: '', exit: 0 }
  const refusal = parsePayload(reply.text) ?? { status: 'error', message: reply.text }
  return { stdout: jsonLine(refusal), stderr: point === null ? `${reply.text}\n` : '', exit: 2 }
}

function jsonLine(answer: object): string {
  return `${JSON.stringify(answer)}\n`
}
