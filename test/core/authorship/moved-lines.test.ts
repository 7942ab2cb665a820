import { expect, test } from 'vitest'
import { attributeLines } from '../../../src/core/authorship/attribute-lines.ts'
import { lineMatcher } from '../../../src/core/authorship/line-matcher.ts'
import { moveFinder } from '../../../src/core/authorship/moved-lines.ts'
import type { OwnedText, Owner } from '../../../src/core/authorship/owned-text.ts'
import type { OwnerSources } from '../../../src/core/authorship/owner-sources.ts'
import type { FilePatch, PatchLine } from '../../../src/core/git/diff/patch.ts'

const ownerOf = (session: string): Owner => {
  return { contributor: { type: 'human' }, session, intent: null, attribution: 'person', record: session }
}

const textOf = (letters: string, session: string): OwnedText =>
  Array.from(letters).map(it => ({ hash: it.charCodeAt(0), owner: ownerOf(session) }))

/** A hunk from signs and letters: `=a -b +c`. Each line weighs fifteen. */
function hunkOf(text: string): PatchLine[] {
  let [before, after] = [1, 1]
  return text.split(' ').map(it => {
    const side = it[0] === '+' ? 'added' : it[0] === '-' ? 'removed' : 'kept'
    const at = side === 'removed' ? before : after
    if (side !== 'added') before++
    if (side !== 'removed') after++
    return { side, at, hash: it.charCodeAt(1), weight: 15, bytes: Buffer.from(it.slice(1)) }
  })
}

const fileOf = (path: string, ...hunks: string[]): FilePatch => {
  return { path, from: null, before: `${path}-before`, after: `${path}-after`, hunks: hunks.map(hunkOf) }
}

/** What is known: texts by blob, writes and notes by path. */
function sourcesOf({
  texts = {},
  writes = {},
  notes = {},
}: Partial<Record<string, Record<string, OwnedText>>>): OwnerSources {
  const matcherOf = (known: Record<string, OwnedText>) => (path: string) =>
    lineMatcher(known[path] ? [known[path]] : [])
  return { textAt: (_, oid) => texts[oid], writesTo: matcherOf(writes), notesOn: matcherOf(notes) }
}

/** The sessions that the lines which a commit added are from, file by file. */
const attributed = (files: readonly FilePatch[], sources: OwnerSources): string[] =>
  attributeLines({ commit: 'c', files }, sources).map(it =>
    it.map(({ at, owner }) => `${at}:${owner?.session ?? '-'}`).join(' '),
  )

const NOTHING = sourcesOf({})

test.each<[string, string[], OwnerSources, string[]]>([
  ['nothing is known', ['+a +b'], NOTHING, ['1:- 2:-']],
  [
    'a text that the ledger followed',
    ['=k +a +b'],
    sourcesOf({ texts: { 'f-after': textOf('kab', 't') } }),
    ['2:t 3:t'],
  ],
  ['a write with the same lines', ['=k +a'], sourcesOf({ writes: { f: textOf('ka', 'w') } }), ['2:w']],
  ['a note with the same lines', ['=k +a'], sourcesOf({ notes: { f: textOf('ka', 'n') } }), ['2:n']],
  [
    'a followed text before a write, and a write before a note',
    ['+a +b'],
    sourcesOf({
      texts: { 'f-after': textOf('ab', 't') },
      writes: { f: textOf('ab', 'w') },
      notes: { f: textOf('ab', 'n') },
    }),
    ['1:t 2:t'],
  ],
  [
    'a write before a note',
    ['+a +b'],
    sourcesOf({ writes: { f: textOf('ab', 'w') }, notes: { f: textOf('ab', 'n') } }),
    ['1:w 2:w'],
  ],
  [
    'a followed text that is another one is not believed',
    ['+a'],
    sourcesOf({ texts: { 'f-after': textOf('x', 't') } }),
    ['1:-'],
  ],
])('an added line is from %s', (_, hunks, sources, expected) => {
  expect(attributed([fileOf('f', ...hunks)], sources)).toEqual(expected)
})

test('lines that a commit moves within a file stay their owner’s, if there are two or more', () => {
  const sources = sourcesOf({ texts: { 'f-before': textOf('abk', 'old'), 'f-after': textOf('kab', 'new') } })
  expect(attributed([fileOf('f', '-a -b =k +a +b')], sources)).toEqual(['2:old 3:old'])
  const single = sourcesOf({ texts: { 'f-before': textOf('ak', 'old'), 'f-after': textOf('ka', 'new') } })
  expect(attributed([fileOf('f', '-a =k +a')], single)).toEqual(['2:new'])
})

test('lines that a commit moves to another file need twice the weight', () => {
  const texts = { 'f-before': textOf('abc', 'old') }
  const moved = (letters: string) => {
    const signs = (sign: string) =>
      Array.from(letters)
        .map(it => sign + it)
        .join(' ')
    const files = [fileOf('f', signs('-')), fileOf('g', signs('+'))]
    return attributed(files, sourcesOf({ texts }))[1]
  }
  expect(moved('abc')).toBe('1:old 2:old 3:old')
  expect(moved('ab')).toBe('1:- 2:-')
})

test('a renamed file is asked for under its old path as well', () => {
  const file = { ...fileOf('g', '=k +a'), from: 'f' }
  expect(attributed([file], sourcesOf({ writes: { f: textOf('ka', 'w') } }))).toEqual(['2:w'])
})

test('a line that was kept was not moved, and a commit that removes nothing moves nothing', () => {
  const kept = fileOf('f', '-a -b', '=a =b')
  const find = moveFinder([kept], sourcesOf({ texts: { 'f-before': textOf('ab', 'old') } }))
  expect(find(kept, kept.hunks[1] ?? [])).toEqual([null, null])
  const added = fileOf('f', '+a +b')
  expect(moveFinder([added], NOTHING)(added, added.hunks[0] ?? [])).toEqual([null, null])
})

test('lines with others between them were not one run', () => {
  const sources = sourcesOf({ texts: { 'f-before': textOf('akb', 'old') } })
  expect(attributed([fileOf('f', '-a =k -b +a +b')], sources)).toEqual(['2:- 3:-'])
})

// Where each hunk looks at all removed lines first, this does not end within the time of a test.
test('a commit that changes a file in tens of thousands of places', () => {
  const hunks = Array.from({ length: 15_000 }, (_, n): PatchLine[] => {
    const at = n * 10 + 1
    const line = { at, weight: 15, bytes: Buffer.alloc(0) }
    return [
      { ...line, hash: n, side: 'removed' },
      { ...line, hash: n + 100_000, side: 'added' },
    ]
  })
  const [attributed = []] = attributeLines({ commit: 'c', files: [{ ...fileOf('f'), hunks }] }, NOTHING)
  expect([attributed.length, attributed.filter(it => it.owner)]).toEqual([15_000, []])
})
