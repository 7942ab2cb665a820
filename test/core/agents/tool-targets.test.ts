import { expect, test } from 'vitest'
import { targetsIn } from '../../../src/core/agents/tool-targets.ts'

const pathsIn = (input: object) => targetsIn({ ...input }).map(it => it.path)
const patch = '*** Begin Patch\n*** Add File: a\n*** Update File: b\n*** Move to: c\n*** Delete File: d\n*** End Patch'

test.each<[input: object, paths: readonly string[]]>([
  [{ file_path: 'a' }, ['a']],
  [{ filePath: 'a', content: 'b' }, ['a']],
  [{ 'File-Path': 'a' }, ['a']],
  [{ paths: ['a', 'b'] }, ['a', 'b']],
  [{ paths: 'a' }, []],
  [{ edits: [{ path: 'a' }, { path: 'b' }, { path: 'a' }] }, ['a', 'b']],
  [{ old_path: 'a', new_path: 'b' }, ['a', 'b']],
  [{ patch }, ['a', 'b', 'c', 'd']],
  [{ raw: patch }, ['a', 'b', 'c', 'd']],
  [{ input: [patch] }, ['a', 'b', 'c', 'd']],
  [{ arguments: '{"path":"a"}' }, ['a']],
  [{ arguments: 'no JSON' }, []],
  [{ uri: 'file:///w/a%20b' }, ['/w/a b']],
  [{ uri: 'file:///w/%' }, ['file:///w/%']],
  [{ path: '' }, []],
  [{ path: 7 }, []],
  [{ content: 'a', text: 'b' }, []],
])('%j names %j', (input, paths) => {
  expect(pathsIn(input)).toEqual(paths)
})

test('nesting is followed for eight levels, and no further', () => {
  const nested = (levels: number): object => (levels === 0 ? { path: 'a' } : { x: nested(levels - 1) })
  expect(pathsIn(nested(8))).toEqual(['a'])
  expect(pathsIn(nested(9))).toEqual([])
})

test.each<[input: object, targets: readonly object[]]>([
  [{ source: 'ABC-1' }, [{ path: 'ABC-1', maybe: true }]],
  [{ source: 'a/b' }, [{ path: 'a/b' }]],
  [{ source: 'a.md' }, [{ path: 'a.md' }]],
  [{ path: 'LICENSE' }, [{ path: 'LICENSE' }]],
  [{ uri: 'https://example.org/a.md' }, []],
])('of an unknown tool %j may name %j', (input, targets) => {
  expect(targetsIn({ ...input }, { isKnown: false })).toEqual(targets)
})
