import { expect, test } from 'vitest'
import { treeAfter, treeAtStart, treeName, type WrittenPath } from '../../../src/core/runs/followed-tree.ts'

const HEAD = 'a'.repeat(40)
const nameAfter = (...writes: readonly WrittenPath[]) =>
  treeName(
    writes.reduce((tree, it) => treeAfter(tree, [it]), treeAtStart(0)),
    HEAD,
  )

test('a tree has one name, whatever the order of the writes, and gets it back when a file does', () => {
  expect(nameAfter(['a', '1'], ['b', '2'])).toBe(nameAfter(['b', '2'], ['a', '1']))
  expect(nameAfter(['a', '1'], ['a', '2'], ['a', '1'])).toBe(nameAfter(['a', '1']))
  expect(nameAfter(['a', '1'], ['a', '2'])).not.toBe(nameAfter(['a', '1']))
})

test('a removed file is not one that was never written, and another commit is another tree', () => {
  expect(nameAfter(['a', null])).not.toBe(nameAfter())
  expect(treeName(treeAtStart(0), 'b')).not.toBe(treeName(treeAtStart(0), HEAD))
})

test('more paths than are followed make a tree of their own, that stays small', () => {
  const many = Array.from({ length: 2_000 }, (_, n): WrittenPath => [`f${n}`, '1'])
  const tree = treeAfter(treeAfter(treeAtStart(0), [['a', '1']]), many)
  expect(Object.keys(tree.paths)).toEqual([])
  expect(treeName(tree, HEAD)).not.toBe(nameAfter())
  expect(treeName(treeAfter(tree, [['a', '1']]), HEAD)).not.toBe(nameAfter(['a', '1']))
})
