import { expect, test } from 'vitest'
import { claimLine, type ClaimState } from '../../../src/core/report/claim-line.ts'

const AT = '2026-01-02T03:04:05.000Z'
const held: NonNullable<ClaimState['claim']> = {
  session: '833c7e1e-9842-4dd1-83a0-ddfe82c17b7d',
  agent: 'claude',
  worktree: '/w',
  host: 'h',
  pid: 1,
  by: 1,
  gitDir: '.',
  claimedAt: AT,
}

test.each([
  ['held', { claim: held, stale: null }, 'INT-1  claude, session 833c7e1e, since 03:04, just now, in /w'],
  [
    'stale, of a person',
    { claim: { ...held, agent: null }, stale: 'ended' },
    'INT-1  a person, session 833c7e1e, since 03:04, just now, in /w; stale: that session has ended',
  ],
] as const)('a claim that is %s is one line, with the beginning of its session (look B14)', (_, state, wanted) => {
  expect(claimLine({ intent: 'INT-1', here: true, ...state }, Date.parse(AT))).toBe(wanted)
})

test('a claim that cannot be read says where to read on', () => {
  expect(claimLine({ intent: 'INT-1', claim: null, stale: null, here: false }, 0)).toContain('kotef explain')
})
