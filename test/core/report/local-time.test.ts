import { afterEach, expect, test } from 'vitest'
import { localTime, momentText } from '../../../src/core/report/local-time.ts'

const zone = process.env['TZ']
afterEach(() => {
  process.env['TZ'] = zone
})

test('a time is local, not UTC (solo B7, team A14)', () => {
  process.env['TZ'] = 'America/New_York'
  expect(localTime('2026-11-22T18:50:55.000Z')).toEqual({ day: '2026-11-22', time: '13:50:55' })
  expect(localTime('2026-11-22T03:04:05.000Z')).toEqual({ day: '2026-11-21', time: '22:04:05' })
})

test.each([
  ['2026-11-22T18:50:31Z', '18:50, just now'],
  ['2026-11-22T18:49:59Z', '18:49, 1 min ago'],
  ['2026-11-22T16:10:00Z', '16:10, 2 h ago'],
  ['2026-11-21T16:10:00Z', '2026-11-21 16:10, 26 h ago'],
  ['2026-11-01T16:10:00Z', '2026-11-01 16:10, 21 days ago'],
  ['2026-11-23T16:10:00Z', '2026-11-23 16:10, in the future'],
  ['not a time', 'not a time'],
])('%s reads as %s (solo B7)', (at, expected) => {
  process.env['TZ'] = 'UTC'
  expect(momentText(at, Date.parse('2026-11-22T18:51:00Z'))).toBe(expected)
})
