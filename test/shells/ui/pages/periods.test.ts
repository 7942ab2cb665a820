import { expect, test } from 'vitest'
import { isoTime, momentOf, periodFilter, periodsBetween } from '../../../../src/shells/ui/pages/periods.ts'

const at = (text: string) => new Date(`${text}T12:00`).getTime()
const labels = (first: string, last: string) => periodsBetween(at(first), at(last)).map(it => it.label)

test('a few weeks are days, a year is weeks that begin on Monday, more is months', () => {
  expect(labels('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect(labels('2026-01-01', '2026-06-01').slice(0, 2)).toEqual(['week of 2025-12-29', 'week of 2026-01-05'])
  expect(labels('2024-11-05', '2026-01-31')).toHaveLength(15)
  expect(labels('2024-11-05', '2026-01-31')[0]).toBe('2024-11')
})

test('each moment of a time is in exactly one period', () => {
  for (const last of ['2026-01-09', '2026-09-01', '2029-03-30']) {
    const periods = periodsBetween(at('2026-01-07'), at(last))
    expect(periods[0]?.from).toBeLessThanOrEqual(at('2026-01-07'))
    expect(periods.at(-1)?.to).toBeGreaterThan(at(last))
    for (const [n, { to }] of periods.slice(0, -1).entries()) expect(periods[n + 1]?.from).toBe(to)
  }
})

test('a moment in an address is a day or ISO 8601', () => {
  expect(momentOf('2026-03-01')).toBe(new Date('2026-03-01T00:00').getTime())
  expect(momentOf('2026-03-01T10:00:00Z')).toBe(Date.UTC(2026, 2, 1, 10))
  for (const text of ['', 'yesterday', '2026', '2026-99-99', '2026-03-01x', '<script>'])
    expect(momentOf(text)).toBeNull()
})

test('the filter of a period does not begin before the one around it', () => {
  const [period] = periodsBetween(at('2026-03-01'), at('2026-03-01'))
  if (!period) throw new Error('a day is a period')
  const until = isoTime(period.to)
  expect(periodFilter(undefined, period)).toEqual({ since: isoTime(period.from), until })
  expect(periodFilter('2026-02-01', period)).toEqual({ since: isoTime(period.from), until })
  expect(periodFilter('2026-03-01T10:00', period)).toEqual({ since: '2026-03-01T10:00', until })
})
