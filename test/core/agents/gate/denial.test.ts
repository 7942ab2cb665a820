import { expect, test } from 'vitest'
import { type FailureCode, KotefError } from '../../../../src/core/base/failure.ts'
import { denialText, refusal, refusalOf } from '../../../../src/core/agents/gate/denial.ts'
import {
  alreadyWritten,
  claimLost,
  governanceOff,
  hooksOff,
  intentRequired,
  interactiveShell,
  opaqueCommand,
  orchestrationUnavailable,
  payloadUnclear,
  type Reason,
  targetsUnknown,
} from '../../../../src/core/agents/gate/reasons.ts'

const reason = (more: Partial<Reason> = {}): Reason => ({
  ...{ code: 'scope-violation', message: 'm', path: 'a', intent: 'INT-001', hint: 'h' },
  ...more,
})

test('a denial is one JSON object with the fields of the handshake, in this order', () => {
  expect(denialText([reason()])).toBe(
    '{"status":"error","error_type":"scope-violation","message":"m","path":"a","intent":"INT-001",' +
      '"recoverable":true,"action_hint":"h"}',
  )
})

test('a field that is not known is left out', () => {
  const denial: unknown = JSON.parse(denialText([reason({ path: null, intent: null })]))
  expect(Object.keys(Object(denial))).toEqual(['status', 'error_type', 'message', 'recoverable', 'action_hint'])
})

test('of several reasons the first gives the code, all give a message, and a hint is not repeated', () => {
  const all = [reason(), reason({ code: 'path-ignored', message: 'n' }), reason({ message: 'o', hint: 'i' })]
  expect(JSON.parse(denialText(all))).toMatchObject({
    error_type: 'scope-violation',
    message: 'm\nn\no',
    action_hint: 'h\ni',
  })
})

test('ten reasons are shown, and the others are counted', () => {
  const all = Array.from({ length: 12 }, (_, n) => reason({ message: `m${n}` }))
  const { message } = JSON.parse(denialText(all)) as { message: string }
  expect(message.split('\n')).toHaveLength(11)
  expect(message).toMatch(/\nm9\n… and 2 more$/)
})

test('a denial without a reason is one all the same', () => {
  expect(JSON.parse(denialText([]))).toMatchObject({ status: 'error', error_type: 'orchestration-unavailable' })
})

test('characters that nobody sees are spelled out, in the message and in the hint', () => {
  const { message, action_hint } = refusal({
    error_type: 'x',
    message: 'a\u202eb',
    action_hint: '\u200b',
    recoverable: true,
  })
  expect([message, action_hint]).toEqual(['a\\u202eb', '\\u200b'])
})

const intent = { id: 'INT-001', name: 'n', status: 'BLOCKED', owned_scope: [] } as const

test.each<[reason: Reason, code: string, recoverable: boolean, message: RegExp]>([
  [intentRequired(null, { intents: [] }), 'intent-required', true, /^You must cite a valid active Intent ID\.$/],
  [intentRequired(intent, { intents: [intent] }), 'intent-required', true, /Intent ID\. INT-001 is BLOCKED\.$/],
  [claimLost('INT-001', 'codex\n'), 'claim-lost', true, /^INT-001 was taken over by "codex\\n"/],
  [orchestrationUnavailable('why'), 'orchestration-unavailable', false, /^orchestration unavailable: why$/],
  [payloadUnclear('It is.'), 'payload-unclear', true, /It is\.$/],
  [governanceOff('--no-verify'), 'governance-off', false, /--no-verify/],
  [hooksOff(), 'governance-off', false, /Gemini CLI/],
  [targetsUnknown('Write'), 'targets-unknown', true, /Write/],
  [interactiveShell(), 'interactive-shell', true, /interactive shell/],
  [opaqueCommand('why'), 'opaque-command', true, /: why\.$/],
])('%j has the code %s; an agent can do something about it: %j', (given, code, recoverable, message) => {
  const denial = JSON.parse(denialText([given])) as Record<string, unknown>
  expect(denial).toMatchObject({ error_type: code, recoverable })
  expect(denial['message']).toMatch(message)
  expect(denial['action_hint']).not.toBe('')
})

test.each<[code: FailureCode, error_type: string, recoverable: boolean]>([
  ['handover-refused', 'handover-refused', true],
  ['handover-unmet', 'handover-unmet', true],
  ['unknown-handover', 'unknown-handover', true],
  ['person-needed', 'person-needed', false],
  ['claim-held', 'claim-held', true],
  ['git-failed', 'orchestration-unavailable', false],
])('a failure %s is %s for an agent, recoverable: %s', (code, error_type, recoverable) => {
  const refused = refusalOf(new KotefError(code, 'UD-1 is cancelled already.', { hint: 'h' }))
  expect(refused).toMatchObject({ error_type, recoverable, action_hint: 'h' })
  expect(refused.message.startsWith('orchestration unavailable: ')).toBe(error_type === 'orchestration-unavailable')
})

test('a write that has happened keeps its reason, and is to be undone; scope helps only where it is missing', () => {
  const { hint, ...kept } = alreadyWritten(reason())
  expect({ ...kept, hint: 'h' }).toEqual(reason())
  expect(hint).toMatch(/git restore.*request_scope_expansion/)
  expect(alreadyWritten(reason({ code: 'path-ignored' })).hint).not.toContain('request_scope_expansion')
})

test('an agent is sent to an intent that is open, and to a person where there is none', () => {
  const open = { ...intent, status: 'PENDING' } as const
  expect(intentRequired(null, { intents: [intent, open] }).hint).toContain('select_active_intent')
  expect(intentRequired(null, { intents: [intent] }).hint).toMatch(/^No intent is open here\. .*`kotef intent add /)
})
