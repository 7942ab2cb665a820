import { expect, test } from 'vitest'
import { commitTest, selectLines } from '../../../src/shells/ui/facts/select-lines.ts'
import type { CommitLines } from '../../../src/world/provenance/commit-lines.ts'
import { survivingRanges } from '../../../src/world/provenance/surviving-ranges.ts'

const owner = { intent: 'INT-001', type: 'ai', model: null } as const
const commit: CommitLines = {
  ...{ commit: 'c1', subject: 's', author: 'Ann', intents: [], at: Date.UTC(2026, 2, 1), isNoted: true },
  ranges: [{ path: 'a', line: 10, lines: 5, owner }],
  classes: new Map(),
}

test('a moment is from `since` on, and before `until`', () => {
  const passes = (query: Parameters<typeof commitTest>[0]) => commitTest(query)(commit)
  const at = new Date(commit.at).toISOString()
  const later = new Date(commit.at + 1).toISOString()
  expect([passes({ since: at }), passes({ since: later })]).toEqual([true, false])
  expect([passes({ until: at }), passes({ until: later })]).toEqual([false, true])
})

test('only the part of a range that HEAD has is alive, at its place there', () => {
  const chunk = { commit: 'c1', path: 'a', headPath: 'b' }
  const surviving = survivingRanges([
    { ...chunk, origin: 8, at: 100, lines: 4 },
    { ...chunk, origin: 14, at: 200, lines: 9 },
    { ...chunk, origin: 20, at: 300, lines: 1 },
    { ...chunk, commit: 'c2', origin: 12, at: 400, lines: 1 },
  ])
  const found = selectLines([commit], { alive: 'yes' }, surviving).map(it => it.range)
  expect(found).toEqual([
    { path: 'a', line: 10, lines: 2, owner, headPath: 'b', headLine: 102 },
    { path: 'a', line: 14, lines: 1, owner, headPath: 'b', headLine: 200 },
  ])
})

test('an empty intent or model stands for lines without one', () => {
  const count = (query: Parameters<typeof selectLines>[1]) => selectLines([commit], query, null).length
  expect([count({}), count({ intent: 'INT-001' }), count({ intent: '' }), count({ model: '' })]).toEqual([1, 1, 0, 1])
  expect([count({ author: 'recorded' }), count({ author: 'unknown' }), count({ note: 'no' })]).toEqual([1, 0, 0])
})
