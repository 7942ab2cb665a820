import { expect, test } from 'vitest'
import { changedBetween, isWork, readTreeSnapshot, snapshotOf } from '../../../src/core/lessons/tree-snapshot.ts'

const entry = (oid: string) => ({ mode: '100644', oid })
const change = (path: string, before: string | null, after: string | null) => {
  return { path, before: before && entry(before), after: after && entry(after) } as Parameters<typeof snapshotOf>[1][0]
}

// On top of `one`: a, which is then edited again; b, which is committed as it is; c, which is taken back; d, as it was.
const before = snapshotOf(
  'one',
  ['a', 'b', 'c', 'd'].map(it => change(it, '0', `${it}1`)),
)

test('paths that have another content are those that changed, whatever was committed in between', () => {
  const committed = [change('b', '0', 'b1'), change('e', '0', 'e1'), change('f', null, 'f1'), change('g', 'g0', null)]
  const after = snapshotOf('two', [change('a', '0', 'a2'), change('d', '0', 'd1'), change('e', 'e1', '0')])
  expect(changedBetween(before, after, committed)).toEqual(['a', 'c', 'f', 'g'])
})

test('on one commit the changes are compared with each other', () => {
  expect(changedBetween(before, before, [])).toEqual([])
  expect(changedBetween(before, snapshotOf('one', []), [])).toEqual(['a', 'b', 'c', 'd'])
  expect(changedBetween(snapshotOf('one', []), snapshotOf('one', [change('x', 'x0', null)]), [])).toEqual(['x'])
})

test('a saved snapshot is read as it was, and a damaged one is none', () => {
  const gone = snapshotOf('one', [change('x', 'x0', null), change('__proto__', null, 'p')])
  expect(readTreeSnapshot(JSON.parse(JSON.stringify(gone)))).toEqual(gone)
  for (const it of [null, 'x', { base: 1, changed: {} }, { base: 'x' }, { base: 'x', changed: { a: 1 } }])
    expect(readTreeSnapshot(it)).toBeNull()
})

test.each([
  ['src/a.ts', true],
  ['.orchestration/AGENT.md', false],
  ['.sdd/KOTEF.md', false],
  ['.orchestrations/a', true],
])('%s is a file of the work: %j', (path, is) => {
  expect(isWork(path)).toBe(is)
})
