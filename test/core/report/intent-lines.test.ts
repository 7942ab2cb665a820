import { expect, test } from 'vitest'
import type { Session } from '../../../src/core/intents/session.ts'
import { intentSessionLine } from '../../../src/core/report/intent-lines.ts'

test.each([
  ['833c7e1e-9842-4dd1-83a0-ddfe82c17b7d', null, '  session      833c7e1e of a person since 03:04, just now'],
  ['s-1', 'claude', '  session      s-1 of claude since 03:04, just now'],
])('below an intent the session %s of %s has the beginning of its id (look B14)', (id, agent, wanted) => {
  const claimedAt = '2026-01-02T03:04:05.000Z'
  expect(intentSessionLine({ id, agent, claimedAt } as Session, Date.parse(claimedAt))).toBe(wanted)
})
