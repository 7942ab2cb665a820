import { expect, test } from 'vitest'
import { attributedPaths, isAnyAuthorUnknown, namesMoreAuthors } from '../../../src/core/ledger/attributed-lines.ts'

type Noted = Parameters<typeof attributedPaths>[0][number]
type Author = Noted['files'][number]['conversations'][number]['contributor']['type']

/** A record of a file, whose lines `from` to `to` each author has written. */
function record(path: string, ...by: readonly (readonly [author: Author, from: number, to: number])[]): Noted {
  const conversations = by.map(([type, start_line, end_line]) => ({
    contributor: { type },
    ranges: [{ start_line, end_line }],
  }))
  return { files: [{ path, conversations }] } as unknown as Noted
}

test.each<[string, Noted, Noted[], boolean]>([
  ['a line that the other leaves unknown', record('a', ['ai', 1, 3]), [record('a', ['ai', 1, 2])], true],
  [
    'no line that two others together do not',
    record('a', ['ai', 1, 2]),
    [record('a', ['human', 1, 1]), record('a', ['ai', 2, 2])],
    false,
  ],
  ['a line of another file', record('b', ['human', 1, 1]), [record('a', ['ai', 1, 9])], true],
  [
    'nothing by a line whose author it does not know',
    record('a', ['unknown', 4, 4]),
    [record('a', ['ai', 1, 1])],
    false,
  ],
  ['all that it knows, beside no other', record('a', ['ai', 1, 1]), [], true],
])('a record names %s', (_, one, others, more) => {
  expect(namesMoreAuthors(one, others)).toBe(more)
})

test.each<[string, Noted[], boolean]>([
  ['no record', [], true],
  ['a record of no line', [record('a')], false],
  ['a line that is unknown', [record('a', ['ai', 1, 2], ['unknown', 3, 3])], true],
  [
    'a line that one record leaves unknown and another names',
    [record('a', ['unknown', 1, 1]), record('a', ['ai', 1, 1])],
    false,
  ],
])('with %s, an author is unknown: %#', (_, records, isUnknown) => {
  expect(isAnyAuthorUnknown(records)).toBe(isUnknown)
})

test('a path counts by one line whose author is known', () => {
  const records = [record('a', ['unknown', 1, 1]), record('b', ['unknown', 1, 1], ['human', 2, 2])]
  expect(attributedPaths(records)).toEqual(['b'])
})
