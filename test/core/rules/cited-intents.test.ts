import { expect, test } from 'vitest'
import { notOpen, onlyHere, uncommittedIntent, unknownIntent } from '../../../src/core/rules/cited-intents.ts'

const intent = { id: 'INT-1', name: 'n', status: 'COMPLETED', owned_scope: [] } as const

test.each([
  ['is not in the registry', unknownIntent('INT-9', [intent]), 'block intent-known', 'The registry has INT-1'],
  ['where the registry is empty', unknownIntent('INT-9', []), 'block intent-known', 'kotef intent add'],
  ['is not committed', uncommittedIntent('INT-1', false), 'review intent-known', 'git reset -q --soft'],
  ['is closed for good', notOpen(intent), 'block intent-open', '--depends-on INT-1'],
  ['is blocked', notOpen({ ...intent, status: 'BLOCKED' }), 'block intent-open', 'kotef intent start INT-1'],
  [
    'is not committed, for an agent',
    onlyHere({ ...intent, isUncommitted: true }, false),
    'block intent-known',
    'add INT-1',
  ],
  [
    'is open here alone, for an agent',
    onlyHere({ ...intent, isReopened: true }, true),
    'block intent-open',
    'reopen INT-1',
  ],
])('a cited intent that %s', (_, { level, rule, hint }, expected, way) => {
  expect(`${level} ${rule}`).toBe(expected)
  expect(hint).toContain(way)
})
