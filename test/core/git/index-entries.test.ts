import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GitIndex, type IndexEntry, trackedDirectories } from '../../../src/core/git/index-entries.ts'

const oid = 'a'.repeat(40)
const indexOf = (lines: readonly string[], tag = 'H') =>
  new GitIndex(Buffer.from(lines.map(it => `${tag} ${it}\0`).join('')))

const changedIn = (now: GitIndex, before: GitIndex) => [...now.comparedWith(before)].filter(it => it !== null)

test('an index has its stage 0 and, of a conflict, our side; no submodules', () => {
  const index = indexOf([
    `100644 ${oid} 1\tc`,
    `100644 ${oid} 2\tc`,
    `100644 ${oid} 3\tc`,
    `100755 ${oid} 0\trun me`,
    `160000 ${oid} 0\tsub`,
  ])
  expect(index.size).toBe(2)
  expect(index.get('run me')).toEqual({ mode: '100755', oid })
  expect(index.get('c')).toEqual({ mode: '100644', oid })
  expect([index.has('sub'), index.has('nonesuch'), index.get('run')]).toEqual([false, false, undefined])
})

test('an index without an entry, and one of 64 digits', () => {
  expect([indexOf([]).size, indexOf([]).has(''), changedIn(indexOf([]), indexOf([]))]).toEqual([0, false, []])
  const long = 'b'.repeat(64)
  expect(indexOf([`100644 ${long} 0\ta b`]).get('a b')).toEqual({ mode: '100644', oid: long })
})

test('the tracked directories are all those above a path of the index, and no others', () => {
  const listed = (...paths: string[]) => Buffer.from(paths.map(it => `H 100644 ${oid} 0\t${it}\0`).join(''))
  expect(trackedDirectories(listed())).toEqual(new Set())
  const found = trackedDirectories(listed('a', 'b/c/d/e', 'b/c/d/f', 'b/g', 'bb/c/h', 'bb/d/h', 'été/日本/x', 'z'))
  expect([...found].sort()).toEqual(['b', 'b/c', 'b/c/d', 'bb', 'bb/c', 'bb/d', 'été', 'été/日本'])
})

test.each([
  ['H', null],
  ['M', null],
  ['S', 'skip-worktree'],
  ['h', 'assume-unchanged'],
  ['s', 'assume-unchanged'],
])('an index knows what git prints as %s', (tag, flag) => {
  const index = indexOf([`100644 ${oid} 0\ta b`], tag)
  expect([index.flagOf('a b'), index.flagOf('nonesuch')]).toEqual([flag, null])
  const both = ['assume-unchanged', 'skip-worktree'] as const
  expect(both.flatMap(it => index.flaggedPaths(it))).toEqual(flag === null ? [] : ['a b'])
  expect(changedIn(index, indexOf([`100644 ${oid} 0\ta b`]))).toEqual([])
})

// Paths in which the order of UTF-16 and that of bytes differ are among them.
const paths = fc.uniqueArray(fc.stringMatching(/^[ab/\u{e9}\u{ff5e}\u{1f600}]{1,4}$/u), { maxLength: 30 })
const entry = fc.record({ mode: fc.constantFrom('100644', '100755'), oid: fc.constantFrom(oid, 'c'.repeat(40)) })
const tables = paths
  .chain(names => fc.tuple(...names.map(it => fc.tuple(fc.constant(it), entry))))
  .map(it => new Map(it))

test('an index answers as a map of its entries does', () => {
  fc.assert(
    fc.property(tables, tables, (before, now) => {
      const [old, index] = [listed(before), listed(now)]
      for (const path of [...before.keys(), ...now.keys()]) expect(index.get(path)).toEqual(now.get(path))
      expect(changedIn(index, old).sort()).toEqual(changedBetween(before, now).sort())
      expect(index.pathsWithBlobs(new Set([oid])).sort()).toEqual(
        [...now.keys()].filter(it => now.get(it)?.oid === oid).sort(),
      )
    }),
  )
})

function listed(table: ReadonlyMap<string, IndexEntry>): GitIndex {
  const sorted = [...table].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return indexOf(sorted.map(([path, it]) => `${it.mode} ${it.oid} 0\t${path}`))
}

function changedBetween(before: ReadonlyMap<string, IndexEntry>, now: ReadonlyMap<string, IndexEntry>): string[] {
  const both = [...new Set([...before.keys(), ...now.keys()])]
  return both.filter(it => JSON.stringify(before.get(it)) !== JSON.stringify(now.get(it)))
}
