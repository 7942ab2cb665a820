import { expect, test } from 'vitest'
import { type StoppedRun, stoppedRunLines, wayAfterStop } from '../../../src/core/report/stopped-run.ts'

const stopped: StoppedRun = {
  session: '0c82490a-01ac-4e58-bbef-0b662f010888',
  agent: 'claude',
  intent: 'INT-001',
  status: 'aborted_stuck',
  rule: 'same-error',
  evidence: 'Bash: npm test failed 4 times with the same error',
  at: '2026-11-28T10:00:00Z',
  isLive: true,
}

test('a stopped run is a line with its reason, and one with the way on', () => {
  expect(stoppedRunLines([stopped])).toEqual([
    'stopped  claude on INT-001: Bash: npm test failed 4 times with the same error (same-error)',
    '         Write to it how to go on: your next message begins a new run: `kotef runs show 0c82490a`',
  ])
})

test('an agent without a session can be written to no more, and what it ran is text', () => {
  const gone = { ...stopped, agent: null, isLive: false, evidence: 'Bash: \x1b[31m failed' }
  expect(stoppedRunLines([gone])[0]).toBe('stopped  an agent on INT-001: Bash: \\u001b[31m failed (same-error)')
  expect(wayAfterStop(gone)).toBe('Its session is over: resume it, or start another one')
})
