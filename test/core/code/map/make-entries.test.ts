import { expect, test } from 'vitest'
import { type HashedDeclaration, makeEntries } from '../../../../src/core/code/map/make-entries.ts'
import { entryLine } from '../../../../src/core/code/map/map-text.ts'
import { ownLines } from '../../../../src/core/code/map/own-lines.ts'
import type { Declaration } from '../../../../src/core/code/symbols/declaration.ts'

const declared = (name: string, [startLine, endLine]: readonly [number, number], container: string | null = null) =>
  ({ name, kind: 'function', line: startLine, startLine, endLine, container }) as const satisfies Declaration

test('the lines of a declaration inside another one are not those of the outer one', () => {
  const found = ownLines([
    declared('A', [1, 8]),
    declared('m', [2, 3], 'A'),
    declared('inner', [3, 3], 'm'),
    declared('n', [5, 5], 'A'),
  ])
  expect(found.map(it => `${it.qualified} ${it.lines.join(',')} ${it.isContainer}`)).toEqual([
    'A 1,4,6,7,8 true',
    'A.m 2 true',
    'A.m.inner 3 false',
    'A.n 5 false',
  ])
})

test('declarations of one line have it, also if one is inside the other', () => {
  const found = ownLines([declared('A', [1, 1]), declared('m', [1, 1], 'A'), declared('b', [1, 1])])
  expect(found.map(it => `${it.qualified} ${it.lines.join(',')}`)).toEqual(['A 1', 'A.m 1', 'b 1'])
})

const hashed = (name: string, own: readonly [number, number]): HashedDeclaration => ({
  ...{ name, kind: 'function', line: own[0], startLine: own[0], endLine: own[1], hash: `h-${name}`, own: [own] },
})
const history = {
  intentsOf: (commit: string) => (commit === '0' ? [] : commit.split('+').map(it => `INT-${it[0]}`)),
  timeOf: (commit: string) => Number(commit[1] ?? 0),
}
const run = (at: number, lines: number, commit: string) => ({ at, lines, commit })

test('a declaration is listed for each intent whose commits made lines of it, with these, oldest first', () => {
  const declarations = [hashed('f', [1, 3]), hashed('g', [4, 5])]
  const runs = [run(1, 1, '19'), run(2, 1, '12'), run(3, 1, '20'), run(4, 2, '0'), run(6, 1, '33')]
  const entries = makeEntries([{ path: 'a', hash: 'h', declarations, runs }], history)
  expect(entries.map(it => `${it.intent} ${entryLine(it)}`)).toEqual([
    'INT-1 - `a` function `f` h-f by 12 19',
    'INT-2 - `a` function `f` h-f by 20',
    'INT-3 - `a` file h by 33',
  ])
})

test('of many commits the newest five are named', () => {
  const runs = ['17', '11', '19', '13', '18', '12'].map((it, n) => run(n + 1, 1, it))
  const [entry] = makeEntries([{ path: 'a', hash: 'h', declarations: [], runs }], history)
  expect(entry?.commits).toEqual(['12', '13', '17', '18', '19'])
})

test('equal overloads are one line', () => {
  const declarations = [hashed('f', [1, 1]), hashed('f', [2, 2])]
  const entries = makeEntries([{ path: 'a', hash: 'h', declarations, runs: [run(1, 2, '11')] }], history)
  expect(entries).toHaveLength(1)
})
