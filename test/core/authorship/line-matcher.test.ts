import { expect, test } from 'vitest'
import { lineMatcher } from '../../../src/core/authorship/line-matcher.ts'
import type { OwnedText } from '../../../src/core/authorship/owned-text.ts'

/** A document of one-letter lines, all of one session. */
function documentOf(letters: string, session: string): OwnedText {
  const owner = { contributor: { type: 'human' }, session, intent: null, attribution: 'person', record: 'r' } as const
  return Array.from(letters).map(it => ({ hash: it.charCodeAt(0), owner }))
}

// A letter weighs ten; a brace and a dot nothing.
const marksOf = (letters: string) =>
  Array.from(letters).map(it => ({ hash: it.charCodeAt(0), weight: /\w/.test(it) ? 10 : 0 }))

/** For each line the session that it is known from and the length of its run, `-` where none is. */
function find(documents: readonly OwnedText[], letters: string, least = 20): string {
  const found = lineMatcher(documents).find(marksOf(letters), least)
  return found.map(it => (it ? `${it.owner?.session}${it.lines}` : '-')).join(' ')
}

test.each([
  ['a run that stands elsewhere', [documentOf('xabcy', '1')], 'qabcq', '- 13 13 13 -'],
  ['a run that is too light', [documentOf('abc', '1')], 'ab', '- -', 21],
  ['one line of several, however heavy', [documentOf('ab', '1')], 'aq', '- -'],
  ['one line, where it was all that there was', [documentOf('a', '1')], 'a', '11', 10],
  ['a line that weighs nothing, inside of a run', [documentOf('a}b', '1')], 'a}b', '13 13 13'],
  ['lines that weigh nothing', [documentOf('}}}', '1')], '}}}', '- - -'],
  ['the newer of two equal documents', [documentOf('ab', '1'), documentOf('ab', '2')], 'ab', '22 22'],
  ['the heavier of two runs', [documentOf('abc', '1'), documentOf('bc', '2')], 'abc', '13 13 13'],
  ['runs of two documents side by side', [documentOf('ab', '1'), documentOf('cd', '2')], 'abcd', '12 12 22 22'],
  ['a run that stands there twice', [documentOf('ab', '1')], 'abqab', '12 12 - 12 12'],
  ['nothing to find it in', [], 'ab', '- -'],
])('%s', (_, documents, letters, expected, least = 20) => {
  expect(find(documents, letters, least)).toBe(expected)
})

test('every run of a small text is found again where a text is nothing but the run', () => {
  const letters = 'abcdef'
  for (let from = 0; from < 6; from++)
    for (let to = from + 2; to <= 6; to++) {
      const run = letters.slice(from, to)
      expect(find([documentOf(letters, '1')], run), run).toBe(
        Array.from(run)
          .map(() => `1${run.length}`)
          .join(' '),
      )
    }
})

test('a document that is added is found as the newest, and its lines are known', () => {
  const matcher = lineMatcher([documentOf('ab', '1')])
  expect([matcher.has(97), matcher.has(120)]).toEqual([true, false])
  matcher.add(documentOf('xab', '2'))
  expect(matcher.has(120)).toBe(true)
  expect(matcher.find(marksOf('ab'), 20).map(it => it?.owner?.session)).toEqual(['2', '2'])
})

test('a line of which no hash is known is no line to find', () => {
  const matcher = lineMatcher([[{ hash: null, owner: null }]])
  expect(matcher.find([{ hash: 0, weight: 99 }], 1)).toEqual([null])
})
