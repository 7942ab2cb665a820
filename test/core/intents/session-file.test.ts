import { expect, test } from 'vitest'
import { readSession } from '../../../src/core/intents/session-file.ts'
import type { Session } from '../../../src/core/intents/session.ts'

const session: Session = {
  id: 's-1',
  kind: 'person',
  agent: null,
  model: null,
  intent: 'INT-001',
  declared: false,
  claimedAt: '2026-11-20T10:00:00.000Z',
  heartbeatAt: '2026-11-20T10:00:00.000Z',
  pid: null,
  host: 'h',
  baseCommit: null,
  endedAt: null,
}

test('a session is read as it was written, and unknown keys are left alone', () => {
  expect(readSession('f', JSON.stringify({ ...session, later: 1 }))).toEqual({ session })
})

test.each(['', '{', 'null', '[]', '{}', JSON.stringify({ ...session, kind: 'robot' })])('%j is a problem', text => {
  expect(readSession('f', text)).toMatchObject({ problem: { file: 'f', line: null } })
})

test('a session file cut at any byte is a problem', () => {
  const text = JSON.stringify(session)
  for (let end = 0; end < text.length; end++) expect(readSession('f', text.slice(0, end))).toHaveProperty('problem')
})
