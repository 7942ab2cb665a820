import { type HookOutput, jsonOutput } from './adapter.ts'
import { adapterFrom, type AgentTable, type PayloadContent, stopContent, textIn } from './agent-table.ts'
import type { Activity } from './event.ts'
import { modelOrNull } from './models.ts'
import { type Payload, parsePayload } from '../base/payload.ts'

const hooks: AgentTable['hooks'] = {
  'before-tool': 'start',
  'after-tool': it => (it['failed'] === true ? 'failed' : 'end'),
  prompt: 'prompt',
  compacted: () => ({ activity: null, point: { at: 'compacted' } }),
  stop: it => stopContent(it['repeated'] === true),
  'settings-change': it => ({ activity: null, point: { at: 'settings-change', path: textIn(it, 'path') } }),
  // These are only recorded.
  'session-start': () => recorded({ event: 'session-start' }),
  'session-end': () => recorded({ event: 'session-end' }),
  'turn-end': 'turn-end',
  'exec-start': it => recorded({ event: 'exec-start', ...callIn(it) }),
  'exec-end': it => recorded({ event: 'exec-end', ...callIn(it) }),
  'write-start': it => ofPath(it, paths => ({ event: 'write-start', paths, ...callIn(it) })),
  'write-failed': it => ofPath(it, paths => ({ event: 'write-failed', paths, ...callIn(it) })),
  write: it => ofPath(it, paths => ({ event: 'write', paths, ...callIn(it), before: undefined })),
}

/** Any other agent: its hooks send kotef's own payload, such as `{"event":"write","session":"…","path":"…"}`. */
export const generic = adapterFrom({
  agent: it => textIn(it, 'agent') ?? 'generic',
  identity(payload) {
    const session = textIn(payload, 'session')
    const name = textIn(payload, 'event')
    if (session === null) return { problem: 'It has no session.' }
    const isKnown = name !== null && Object.hasOwn(hooks, name)
    return isKnown ? { session, name } : { problem: 'Its event is not one that kotef knows.' }
  },
  model: it => modelOrNull(it['model']),
  hooks,
  tool: it => ({ tool: textIn(it, 'tool'), nameIn: 'tool', input: it['input'], ...callIn(it) }),
  // This form has no way to ask a person, so `ask` denies.
  answers: {
    at: {},
    elsewhere: { deny: refusal, context: it => ({ status: 'success', context: it }) },
    undecoded: text => ({ ...refusal(text), stderr: `${text}\n` }),
  },
})

function callIn(payload: Payload) {
  const call = textIn(payload, 'call')
  return { call, lane: call ?? '' }
}

function recorded(activity: Activity): PayloadContent {
  return { activity, point: null }
}

function ofPath(payload: Payload, activity: (paths: readonly string[]) => Activity): PayloadContent {
  const path = textIn(payload, 'path')
  return path === null ? { problem: 'It has no path.' } : recorded(activity([path]))
}

function refusal(text: string): HookOutput {
  return { ...jsonOutput(parsePayload(text) ?? { status: 'error', message: text }), exit: 2 }
}
