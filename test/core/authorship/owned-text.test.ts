import { expect, test } from 'vitest'
import { type OwnedText, ownedTextAfter, ownedTextOf, type Owner } from '../../../src/core/authorship/owned-text.ts'

const ownerOf = (session: string): Owner => {
  return { contributor: { type: 'human' }, session, intent: null, attribution: 'person', record: session }
}

/** A text of one-letter lines, all of one owner. */
function textOf(letters: string, session: string): OwnedText {
  return Array.from(letters).map(it => ({ hash: it.codePointAt(0) ?? 0, owner: ownerOf(session) }))
}

/** A text as letters, each with its owner: `a1 b2`; `?` is a line of which nothing is known. */
const shown = (text: OwnedText): string =>
  text.map(it => (it.hash === null ? '?' : `${String.fromCodePoint(it.hash)}${it.owner?.session ?? ''}`)).join(' ')

test('wherever lines of a small text are replaced, the others stay, and are their owners', () => {
  const before = textOf('abcd', '1')
  for (let from = 0; from <= 4; from++)
    for (let to = from; to <= 4; to++)
      for (const put of ['', 'x', 'xyz']) {
        if (from === to && put === '') continue
        const removed = from === to ? [] : [{ start_line: from + 1, lines: to - from }]
        const added = put === '' ? [] : [{ line: from + 1, lines: textOf(put, '2') }]
        const expected = [...before.slice(0, from), ...textOf(put, '2'), ...before.slice(to)]
        expect(shown(ownedTextAfter(before, removed, added)), `${from}-${to} ${put}`).toBe(shown(expected))
      }
})

test('two hunks of one write are both put where they stand', () => {
  const before = textOf('abcdef', '1')
  for (const [first, second] of [
    ['', 'y'],
    ['x', ''],
    ['x', 'y'],
    ['xx', 'yy'],
  ] as const) {
    const removed = [
      { start_line: 2, lines: 1 },
      { start_line: 5, lines: 1 },
    ]
    const added = [
      { line: 2, lines: textOf(first, '2') },
      { line: 4 + first.length, lines: textOf(second, '2') },
    ].filter(it => it.lines.length > 0)
    const expected = [...textOf('a', '1'), ...textOf(first, '2'), ...textOf('cd', '1'), ...textOf(second, '2')]
    expect(shown(ownedTextAfter(before, removed, added))).toBe(shown([...expected, ...textOf('f', '1')]))
  }
})

test('a line that is written again where it stood stays its first owner’s', () => {
  const after = ownedTextAfter(
    textOf('abc', '1'),
    [{ start_line: 1, lines: 3 }],
    [{ line: 1, lines: textOf('axc', '2') }],
  )
  expect(shown(after)).toBe('a1 x2 c1')
})

test('a line of which no hash is known is nobody’s again', () => {
  const nameless: OwnedText = [{ hash: null, owner: ownerOf('1') }]
  const put = [{ line: 1, lines: [{ hash: null, owner: ownerOf('2') }] }]
  expect(ownedTextAfter(nameless, [{ start_line: 1, lines: 1 }], put)[0]?.owner?.session).toBe('2')
})

test('a write that claims more than there was ends with the text', () => {
  const put = [{ line: 9, lines: textOf('z', '2') }]
  expect(shown(ownedTextAfter(textOf('ab', '1'), [{ start_line: 2, lines: 7 }], put))).toBe('a1 z2')
})

test('of a text whose beginning is not known, the lines that were put into it are', () => {
  const added = [
    { line: 2, lines: textOf('xy', '2') },
    { line: 5, lines: textOf('z', '2') },
  ]
  expect(shown(ownedTextOf(added))).toBe('? x2 y2 ? z2')
})
