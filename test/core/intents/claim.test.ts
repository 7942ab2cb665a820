import { expect, test } from 'vitest'
import {
  type ClaimHolder,
  type IntentClaim,
  readClaim,
  type ClaimContext,
  staleReason,
} from '../../../src/core/intents/claim.ts'

const claim: IntentClaim = {
  session: 's',
  agent: 'claude',
  host: 'h',
  pid: null,
  by: 7,
  worktree: '/w',
  gitDir: 'worktrees/w',
  claimedAt: '2026-01-01T00:00:00.000Z',
}

test('a claim is read as it was written, and keys of a later kotef are left out', () => {
  expect(readClaim(JSON.stringify({ ...claim, later: 1 }))).toEqual(claim)
})

test('a claim cut at any byte is none', () => {
  const text = JSON.stringify(claim)
  for (let end = 0; end < text.length; end++) expect(readClaim(text.slice(0, end))).toBeNull()
})

test.each<[string, object]>([
  ['no session', { session: '' }],
  ['an agent that is a number', { agent: 1 }],
  ['a process of nobody', { by: 0 }],
  ['a time that is none', { claimedAt: 'soon' }],
  ['a place outside of the clone', { gitDir: '../other' }],
  ['a place above the worktrees', { gitDir: 'worktrees/..' }],
  ['a place further in', { gitDir: 'worktrees/a/b' }],
  ['an absolute place', { gitDir: '/etc' }],
])('with %s it is no claim', (_, damage) => {
  expect(readClaim(JSON.stringify({ ...claim, ...damage }))).toBeNull()
})

const HOUR = 3_600_000
const claimedAt = Date.parse(claim.claimedAt)
const at = (ms: number): string => new Date(claimedAt + ms).toISOString()
const live = (receivedMs: number, pid: number | null = null): ClaimHolder => ({
  kind: 'live',
  pid,
  heartbeatAt: at(receivedMs),
})
const around = (hours: number): ClaimContext => ({
  host: 'h',
  now: claimedAt + hours * HOUR,
  ttlMs: 4 * HOUR,
  isAlive: pid => pid === 7,
})

test.each<[string, ClaimHolder, number, ReturnType<typeof staleReason>, Partial<IntentClaim>?]>([
  ['a session that lives', live(0), 1, null],
  ['silent for the whole time', live(0), 4, null],
  ['silent for longer', live(0), 4.1, 'silent'],
  ['heard of since', live(2 * HOUR), 5, null],
  ['the clock was set back', live(0), -5, 'silent'],
  ['its process lives', live(0, 7), 1, null],
  ['its process is gone', live(0, 8), 1, 'process-gone'],
  ['gone, but on another machine', live(0, 8), 1, null, { host: 'x' }],
  ['it has ended', { kind: 'ended', endedAt: at(1) }, 1, 'ended'],
  ['it had ended, and is taken up again', { kind: 'ended', endedAt: at(-1) }, 1, null],
  ['taken up again, by who is gone', { kind: 'ended', endedAt: at(-1) }, 1, 'process-gone', { by: 8 }],
  ['it is just beginning', { kind: 'none' }, 1, null],
  ['its beginning was cut off', { kind: 'none' }, 1, 'process-gone', { by: 8 }],
  ['cut off on another machine', { kind: 'none' }, 1, null, { by: 8, host: 'x' }],
  ['cut off there long ago', { kind: 'none' }, 5, 'silent', { by: 8, host: 'x' }],
  ['its file is damaged', { kind: 'damaged' }, 1, null, { by: 8 }],
  ['damaged long ago', { kind: 'damaged' }, 5, 'silent'],
])('%s', (_, holder, hours, why, more = {}) => {
  expect(staleReason({ ...claim, ...more }, holder, around(hours))).toBe(why)
})
