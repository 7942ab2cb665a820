import { expect, test } from 'vitest'
import { type LineCount, lineTotals } from '../../../../src/core/report/review/line-totals.ts'

const count = (lines: number, changed: Partial<LineCount> = {}): LineCount => ({
  ...{
    intent: 'INT-001',
    contributor: { type: 'ai', model_id: 'm/1' },
    isDoubtful: false,
    isNoted: true,
    isOwn: false,
  },
  ...changed,
  lines,
})
const unknown = { contributor: { type: 'unknown' } } as const

test('no line is counted both as recorded and as untraced', () => {
  const { added, recorded, own, untraced } = lineTotals([
    count(1),
    count(2, unknown),
    // Without a note nothing was recorded, whatever else is said of the line.
    count(4, { isNoted: false }),
    count(8, { ...unknown, isNoted: false }),
    count(16, { contributor: { type: 'human' } }),
    // What kotef wrote is its own, with a note and without.
    count(32, { ...unknown, isOwn: true }),
    count(64, { ...unknown, isOwn: true, isNoted: false }),
  ])
  expect({ added, own, untraced }).toEqual({ added: 127, own: 96, untraced: { unknown: 2, withoutNote: 12 } })
  expect(recorded.map(it => `${it.type} ${it.model} ${it.lines}`)).toEqual(['human null 16', 'ai m/1 1'])
})

test('the lines of one author are one row, the models of agents each their own, most lines first', () => {
  const { recorded } = lineTotals([
    count(1),
    count(5, { intent: 'INT-002', isDoubtful: true }),
    count(7, { contributor: { type: 'ai', model_id: 'm/2' } }),
    count(3, { contributor: { type: 'ai' } }),
    count(3, { contributor: { type: 'mixed' } }),
  ])
  expect(recorded).toEqual([
    { type: 'ai', model: 'm/2', lines: 7, doubtful: 0 },
    { type: 'ai', model: 'm/1', lines: 6, doubtful: 5 },
    { type: 'ai', model: null, lines: 3, doubtful: 0 },
    { type: 'mixed', model: null, lines: 3, doubtful: 0 },
  ])
})

test('no line at all is a total as well', () => {
  expect(lineTotals([])).toEqual({ added: 0, recorded: [], own: 0, untraced: { unknown: 0, withoutNote: 0 } })
})
