import { expect, test } from 'vitest'
import { autoMerge, mergeAdditions } from '../../../src/core/git/merges.ts'
import { commitsIn } from '../../../src/core/git/trailers/commits.ts'
import type { PathChange } from '../../../src/core/git/changes.ts'

const [A, B, C] = ['a', 'b', 'c'].map(it => it.repeat(40))
const NONE = '0'.repeat(40)
const change = (path: string): PathChange => ({ path, before: null, after: { mode: '100644', oid: 'a' } })

test("what git makes of both sides is read with the paths that it can't merge", () => {
  const { parse } = autoMerge('HEAD', 'side')
  expect(parse(`${A}\0`)).toEqual({ tree: A, conflicted: [] })
  expect(parse(`${A}\0b\0c d\0`)).toEqual({ tree: A, conflicted: ['b', 'c d'] })
})

test('a merge owns what git would have made otherwise; all of it when nobody can tell what that is', () => {
  const changes = ['clean', 'evil', 'clash'].map(change)
  const own = mergeAdditions(changes, { edited: ['evil', 'clash'], conflicted: ['clash', 'gone'] })
  expect(own.changes.map(it => it.path)).toEqual(['evil', 'clash'])
  expect(own.conflicted).toEqual(['clash', 'gone'])
  expect(mergeAdditions(changes, { edited: null, conflicted: ['clash'] })).toEqual({ changes, conflicted: ['clash'] })
})

test('commits are read with their changes, whatever git puts between', () => {
  const block = 'Intent-ID: INT-1\nIntent-ID: INT-2'
  const fields = (oid = '', parents = '', body = '') => `${oid}\0${parents}\0s\0a@b\0s\n\n${body}\n\n${block}\n\0`
  const plain = `${fields(A, '', 'text')}\n:000000 100644 ${NONE} ${B} A\0a b\0:100644 100755 ${A} ${B} M\0c\0`
  const merge = `${fields(B, `${A} ${C}`)}\0::100644 100644 100644 ${A} ${B} ${C} MM\0m\0`
  const empty = fields(C, B)
  const [first, second, third] = commitsIn(['HEAD'], { countMax: null }).parse(`${plain}${merge}${empty}`)
  expect(first).toMatchObject({
    oid: A,
    parents: [],
    author: 'a@b',
    misplaced: [],
    coAuthors: [],
    cited: ['INT-1', 'INT-2'],
    governance: null,
  })
  expect(first?.changes).toEqual([
    { path: 'a b', before: null, after: { mode: '100644', oid: B } },
    { path: 'c', before: { mode: '100644', oid: A }, after: { mode: '100755', oid: B } },
  ])
  const met = { path: 'm', before: { mode: '100644', oid: A }, after: { mode: '100644', oid: C } }
  expect(second).toMatchObject({ oid: B, parents: [A, C], changes: [met] })
  expect(third).toMatchObject({ oid: C, parents: [B], changes: [] })
})
