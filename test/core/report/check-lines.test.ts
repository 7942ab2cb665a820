import { expect, test } from 'vitest'
import { checkLines } from '../../../src/core/report/check-lines.ts'

const passed = {
  command: 'npm test',
  status: 'passed',
  seconds: 1.25,
  keptSince: null,
  inputs: null,
  why: 'passed',
} as const
const kept = { ...passed, command: 'npm run lint', seconds: null, keptSince: '2026-01-01T00:00:00.000Z' }
const failed = { ...passed, command: 'a\u001b[2Jb', status: 'failed', why: 'ended with 1' } as const
const report = { intent: 'INT-001', manual: [], attested: [] }

test('each check has a line with its status, and a person’s criterion one of its own', () => {
  const all = { ...report, passed: true, results: [passed, kept], manual: ['It is fast', 'It reads well'] }
  expect(checkLines({ ...all, attested: ['It reads well'] })).toEqual([
    'INT-001: 2 checks passed.',
    '  passed   npm test  (1.3 s)',
    '  passed   npm run lint  (these files passed at 2026-01-01T00:00:00.000Z)',
    '  person   It is fast  (attest it: `kotef attest INT-001`)',
    '  person   It reads well  (attested on these files)',
  ])
})

test('what did not pass says why, without control characters', () => {
  const [title, , line] = checkLines({ ...report, passed: false, results: [passed, failed] })
  expect(title).toBe('INT-001: 1 of 2 checks did not pass.')
  expect(line).toMatch(/^ {2}failed {3}.*b.* \(1.3 s\): ended with 1$/)
  expect(line).not.toContain('\u001b')
})

test('a result that depends on some files only says so', () => {
  const narrowed = { ...kept, inputs: ['lib/**', '!lib/docs/**'] }
  expect(checkLines({ ...report, passed: true, results: [narrowed] })[1]).toContain('Z, of lib/** !lib/docs/** only)')
})

test('without a check, nothing is done', () => {
  expect(checkLines({ ...report, passed: false, results: [] })[0]).toContain('has no check')
})
