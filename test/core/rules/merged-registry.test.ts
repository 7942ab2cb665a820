import { expect, test } from 'vitest'
import { changesByMerge, clashingIds } from '../../../src/core/rules/merged-registry.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'

const intents = (...words: string[]) =>
  readRegistry(`active_intents:\n${words.map(it => `  - ${it}\n`).join('')}`).intents
const one = (scope: string, more = '') => `{ id: A-1, name: n, owned_scope: [${scope}]${more} }`
const other = (name: string, more = '') => `{ id: B-2, name: ${name}, owned_scope: [b]${more} }`

type Row = [what: string, base: string[], ours: string[], theirs: string[], merged: string[], reported: string[]]

test.each<Row>([
  ['a pattern of each side', [one('a')], [one('a, o')], [one('a, t')], [one('a, o, t')], []],
  ['a pattern of no side', [one('a')], [one('a, o')], [one('a, t')], [one('"**"')], ['A-1 may touch more: **']],
  [
    'a pattern that one side took out',
    [one('a, x')],
    [one('a')],
    [one('a, x')],
    [one('a, x')],
    ['A-1 may touch more: x'],
  ],
  [
    'an exception that one side added',
    [one('a')],
    [one('a, "!a/b"')],
    [one('a')],
    [one('a')],
    ['A-1 may touch more: !a/b'],
  ],
  ['an exception that one side took out', [one('a, "!a/b"')], [one('a')], [one('a, "!a/b"')], [one('a')], []],
  [
    'a constraint of one side',
    [one('a')],
    [one('a', ', constraints: [c]')],
    [one('a')],
    [one('a')],
    ['A-1 has lost a constraint'],
  ],
  [
    'an intent that one side completed',
    [one('a')],
    [one('a', ', status: COMPLETED')],
    [one('a')],
    [one('a')],
    ['A-1 was COMPLETED, and is PENDING again'],
  ],
  [
    'an intent that one side opened again',
    [one('a', ', status: COMPLETED')],
    [one('a')],
    [one('a', ', status: COMPLETED')],
    [one('a')],
    [],
  ],
  ['a new intent of each side', [], [one('a')], [other('m')], [one('a'), other('m')], []],
  ['a new intent of no side', [], [one('a')], [one('a')], [one('a'), other('m')], ['B-2 is new, with the scope b']],
  ['an intent less', [one('a')], [one('a')], [one('a'), other('m')], [one('a')], []],
])('a merge with %s', (_, base, ours, theirs, merged, reported) => {
  const [from, ...sides] = [base, ours, theirs].map(it => intents(...it))
  const found = changesByMerge({ base: from ?? [], sides, merged: intents(...merged) })
  expect(found.map(it => it.description)).toEqual(reported)
})

test.each<[string, string[], string, string, string[]]>([
  ['two names', [], other('m'), other('n'), ['B-2']],
  ['two scopes', [], other('m'), other('m').replace('[b]', '[c]'), ['B-2']],
  ['the same twice', [], other('m'), other('m'), []],
  [
    'one intent, edited since on one side',
    [],
    other('m', ', created_at: 2026-01-01'),
    other('n', ', created_at: 2026-01-01'),
    [],
  ],
  ['an older intent with another name', [other('m')], other('m'), other('n'), []],
])('%s under one id', (_, base, ours, theirs, ids) => {
  expect(clashingIds({ base: intents(...base), sides: [intents(ours), intents(theirs)] })).toEqual(ids)
})
