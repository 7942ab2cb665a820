import { expect, test } from 'vitest'
import {
  type CompiledPolicy,
  compiledPolicyText,
  compilerOf,
  parseCompiledPolicy,
  policyInHead,
  sourceLinkName,
  sourcesStamp,
} from '../../../../src/core/intents/scope/compiled-policy.ts'
import { POLICY_ENTRIES, POLICY_FILES } from '../../../../src/core/base/governance-files.ts'

const whole: CompiledPolicy = {
  version: 12,
  kotef: '1.0.0',
  policy: {
    intents: [{ id: 'INT-1', name: 'n', status: 'PENDING', owned_scope: ['a'] }],
    governance: ['g'],
    forbidden: [],
    intentignore: [],
  },
  opaqueCommands: 'ask',
  freedom: { temporary: 'allow', ignored: 'deny' },
  claims: 'deny',
  sessions: [],
  head: '*',
  stamp: 's',
}

test('a compiled policy reads back as it was written', () => {
  expect(parseCompiledPolicy(compiledPolicyText(whole))).toEqual(whole)
})

test('whichever part is missing or of another type, nothing is read: the hook compiles again', () => {
  const intents = (changed: object) => ({
    policy: { ...whole.policy, intents: [{ ...whole.policy.intents[0], ...changed }] },
  })
  const parts = [
    ...[2, '3', null].map(version => ({ version })),
    ...['opaqueCommands', 'freedom', 'claims', 'stamp', 'head', 'sessions', 'policy'].map(it => ({ [it]: undefined })),
    ...['governance', 'forbidden', 'intentignore', 'intents'].map(it => ({ policy: { ...whole.policy, [it]: 'a' } })),
    ...['id', 'name', 'status', 'owned_scope'].map(it => intents({ [it]: 5 })),
    intents({ owned_scope: [5] }),
  ]
  for (const part of parts)
    expect(parseCompiledPolicy(compiledPolicyText({ ...whole, ...part } as never)), JSON.stringify(part)).toBe(null)
  for (const text of [null, '', '{', 'null', '[]']) expect(parseCompiledPolicy(text)).toBe(null)
})

test('a text that was changed anywhere is not read, also where it still has the form of a policy', () => {
  const text = compiledPolicyText(whole)
  const wider = text.replace('["a"]', '["**"]')
  expect(parseCompiledPolicy(wider)).toBe(null)
  expect(compilerOf(wider)).toMatchObject({ version: 12, kotef: '1.0.0' })
  // The newline at the very end is no part of it.
  for (const n of Array.from(text.trimEnd()).keys()) {
    const without = `${text.slice(0, n)}${text.slice(n + 1)}`
    expect(parseCompiledPolicy(without), without).toBe(null)
  }
})

test('of all small sources no two that differ have one stamp', () => {
  const contents = [null, '', 'a', 'b', ','].map(it => it && Buffer.from(it))
  const sources = contents.flatMap(one => contents.map(other => [one, other] as const))
  const stamps = sources.flatMap(it =>
    ['', 'head'].map(inHead =>
      sourcesStamp(
        it.map((text, n) => [String(n), text || null] as const),
        inHead,
      ),
    ),
  )
  const kinds = new Set(
    sources.flatMap(it => ['', 'head'].map(inHead => JSON.stringify([it.map(text => text || null), inHead]))),
  )
  expect(new Set(stamps).size).toBe(kinds.size)
})

test('bytes that are not UTF-8 count as well', () => {
  const stampOf = (byte: number) => sourcesStamp([['a', Buffer.from([byte])]], '')
  expect(stampOf(0xff)).not.toBe(stampOf(0xfe))
})

test('each policy file has a link of its own, and HEAD is asked for all of them', () => {
  expect(POLICY_FILES.map((_, n) => sourceLinkName(n))).toEqual(['source-1', 'source-2', 'source-3', 'source-4'])
  expect(policyInHead.args.slice(-POLICY_ENTRIES.length)).toEqual(POLICY_ENTRIES)
})
