import { expect, test } from 'vitest'
import {
  forbiddenItem,
  forbiddenLine,
  namesPath,
  pathsOf,
} from '../../../../src/core/intents/contract/forbidden-items.ts'

test.each<[item: string, globs: string[]]>([
  ['`vendor/**`', ['vendor/**']],
  ['[ ] src/secret/**', ['src/secret/**']],
  ['"src/secret/**"', ['src/secret/**']],
  ['src/**, lib/**', ['src/**', 'lib/**']],
  ['`a/**` and `b/**`: owned by ops', ['a/**', 'b/**']],
  ['infra (owned by ops)', ['infra/**']],
  ['src/{a,b}/**', ['src/{a,b}/**']],
  ['/keys/', ['keys/**']],
])('the item %j forbids', (item, globs) => {
  expect(forbiddenItem(item)).toEqual({ globs, isUnread: false })
})

test('an item of words is read as a path, and reported, since it is not surely one', () => {
  expect(forbiddenItem('the old code of the shop').isUnread).toBe(true)
  expect(forbiddenItem('none').isUnread).toBe(false)
})

test('a line of prose forbids nothing, and is reported when it names a path', () => {
  expect(forbiddenLine('Do not touch src/legacy/** please')).toEqual({ globs: [], isUnread: true })
  expect(forbiddenLine('Ask first.')).toEqual({ globs: [], isUnread: false })
  expect(forbiddenLine('src/legacy/**')).toEqual({ globs: ['src/legacy/**'], isUnread: false })
})

test('only a text of nothing but paths has paths', () => {
  expect(pathsOf('`a/b`, `c/*`')).toEqual(['a/b/**', 'c/*'])
  expect(pathsOf('see `a/b` first')).toEqual([])
})

test('an address and an abbreviation are not paths', () => {
  expect(namesPath('see https://example.org/a')).toBe(false)
  expect(namesPath('read and/or write')).toBe(false)
  expect(namesPath('see docs/a.md')).toBe(true)
})
