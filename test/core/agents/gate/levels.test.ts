import { expect, test } from 'vitest'
import type { Enforcements } from '../../../../src/core/intents/enforcement.ts'
import { callIn, factsFor, judgeCall } from './gate-fixture.ts'

function judgedUnder(enforcements: Enforcements, path: string, selected = true) {
  const call = callIn(['claude', 'Write', { file_path: path }])
  const facts = factsFor(call)
  return judgeCall(call, { ...facts, policy: { ...facts.policy, enforcements }, ...(selected ? {} : { intent: null }) })
}

const ALL = { rules: {} }

test.each<[Enforcements, string, string[]]>([
  [{ enforce: 'block', ...ALL }, 'deny', ['scope-violation']],
  [{ enforce: 'warn', ...ALL }, 'allow', ['scope-violation']],
  [{ enforce: 'observe', ...ALL }, 'allow', []],
  [{ enforce: 'block', rules: { 'in-scope': 'warn' } }, 'allow', ['scope-violation']],
  [{ enforce: 'observe', rules: { 'in-scope': 'block' } }, 'deny', ['scope-violation']],
])('a write outside the scope under %j: %s', (enforcements, kind, codes) => {
  const verdict = judgedUnder(enforcements, 'lib/x.ts')
  expect([verdict.kind, verdict.reasons.map(it => it.code)]).toEqual([kind, codes])
})

test('a write before the selection of an intent follows the rule that a commit names one', () => {
  expect(judgedUnder({ enforce: 'block', ...ALL }, 'src/auth/a.ts', false).kind).toBe('deny')
  expect(judgedUnder({ enforce: 'block', rules: { 'intent-named': 'warn' } }, 'src/auth/a.ts', false).kind).toBe(
    'allow',
  )
})

test('state that is damaged denies at every level', () => {
  const call = callIn(['claude', 'Write', { file_path: 'src/auth/a.ts' }])
  const facts = factsFor(call)
  const policy = { ...facts.policy, enforcements: { enforce: 'observe', rules: {} } as const }
  expect(judgeCall(call, { ...facts, policy, unavailable: 'the registry does not parse' }).kind).toBe('deny')
})
