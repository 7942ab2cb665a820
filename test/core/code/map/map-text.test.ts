import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockLines, splitAtMarkers, withMapBlock } from '../../../../src/core/code/map/map-block.ts'
import { compareEntries, compareIntents, type MapEntry } from '../../../../src/core/code/map/map-entry.ts'
import { mapBlock, readMapBlock } from '../../../../src/core/code/map/map-text.ts'
import { mergeMapBlocks } from '../../../../src/core/code/map/merge-maps.ts'

const entry = (name: string, more: Partial<MapEntry> = {}): MapEntry => ({
  ...{ intent: 'INT-001', path: 'src/a.ts', kind: 'function', name, hash: 'xxh64:1', commits: ['c1'] },
  ...more,
})
const block = (...entries: readonly MapEntry[]) =>
  mapBlock({ entries: entries.toSorted(compareEntries), names: new Map([['INT-001', 'work']]) })

test('a block has a heading for each intent and a line for each declaration', () => {
  const other = entry('', { intent: 'INT-010', path: 'README.md', kind: 'file' })
  expect(block(entry('g', { commits: ['c1', 'c2'] }), other, entry('f'))).toBe(
    [
      '',
      '## INT-001 work',
      '',
      '- `src/a.ts` function `f` xxh64:1 by c1',
      '- `src/a.ts` function `g` xxh64:1 by c1 c2',
      '',
      '## INT-010',
      '',
      '- `README.md` file xxh64:1 by c1',
      '',
      '',
    ].join('\n'),
  )
})

test('intents come by prefix and number', () => {
  expect(['INT-10', 'INT-9', 'CHORE-2', 'INT-009'].toSorted(compareIntents)).toEqual([
    'CHORE-2',
    'INT-009',
    'INT-9',
    'INT-10',
  ])
})

test('no name or path can end a line, a code span or the block', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1 }), (name, path) => {
      const text = block(entry(name, { path: `p${path}` }))
      const read = readMapBlock(text)
      expect(read.entries).toHaveLength(1)
      expect(mapBlock(read)).toBe(text)
      expect(splitAtMarkers(`<!-- kotef:begin -->\n${text}<!-- kotef:end -->\n`)?.block).toBe(text)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['no marker', 'text\n'],
  ['no end', '<!-- kotef:begin -->\n'],
  ['two blocks', '<!-- kotef:begin -->\n<!-- kotef:end -->\n<!-- kotef:begin -->\n<!-- kotef:end -->\n'],
  ['the end first', '<!-- kotef:end -->\n<!-- kotef:begin -->\n'],
  ['a marker within a line', 'see <!-- kotef:begin -->\n<!-- kotef:end -->\n'],
])('%s: the markers are damaged', (_, text) => {
  expect(splitAtMarkers(text)).toBeNull()
})

test('what stands around the block stays as it is, with its line ends', () => {
  const text = 'before\r\n<!-- kotef:begin -->\r\nold\r\n<!-- kotef:end -->  \r\nafter'
  expect(withMapBlock(splitAtMarkers(text)!, 'new\n')).toBe(text.replace('old', 'new'))
})

const base = block(entry('f'), entry('g'), entry('h'))
const changed = (name: string, hash: string) => entry(name, { hash })

test.each([
  [
    'each side changed another one',
    [changed('f', '2'), entry('g'), entry('h')],
    [entry('f'), changed('g', '3'), entry('h')],
    [changed('f', '2'), changed('g', '3'), entry('h')],
  ],
  [
    'one removed, the other added',
    [entry('f'), entry('g')],
    [entry('f'), entry('g'), entry('h'), entry('i')],
    [entry('f'), entry('g'), entry('i')],
  ],
  [
    'both added the same',
    [entry('f'), entry('g'), entry('h'), entry('i')],
    [entry('f'), entry('g'), entry('h'), entry('i')],
    [entry('f'), entry('g'), entry('h'), entry('i')],
  ],
  [
    'both added one of that name',
    [entry('f'), entry('g'), entry('h'), changed('i', '2')],
    [entry('f'), entry('g'), entry('h'), changed('i', '3')],
    [entry('f'), entry('g'), entry('h'), changed('i', '2'), changed('i', '3')],
  ],
  [
    'both changed it',
    [changed('f', '2'), entry('g'), entry('h')],
    [changed('f', '3'), entry('g'), entry('h')],
    [changed('f', '2'), entry('g'), entry('h')],
  ],
  [
    'one removed what the other changed',
    [entry('g'), entry('h')],
    [changed('f', '3'), entry('g'), entry('h')],
    [changed('f', '3'), entry('g'), entry('h')],
  ],
])('a merge where %s', (_, ours, theirs, merged) => {
  expect(mergeMapBlocks({ base, ours: block(...ours), theirs: block(...theirs) })).toBe(block(...merged))
})

test('a merge of any two maps is a map in the canonical order, with what both sides have', () => {
  const someEntries = fc.array(
    fc.record({
      name: fc.constantFrom('f', 'g', 'h'),
      hash: fc.constantFrom('1', '2'),
      path: fc.constantFrom('a', 'b'),
    }),
  )
  fc.assert(
    fc.property(someEntries, someEntries, someEntries, (one, two, three) => {
      const [before, ours, theirs] = [one, two, three].map(it =>
        block(...new Map(it.map(of => [JSON.stringify(of), entry(of.name, of)])).values()),
      )
      const merged = mergeMapBlocks({ base: before!, ours: ours!, theirs: theirs! })
      const { entries } = readMapBlock(merged)
      expect(entries).toEqual(entries.toSorted(compareEntries))
      expect(mergeMapBlocks({ base: before!, ours: ours!, theirs: before! })).toBe(ours)
      expect(mergeMapBlocks({ base: before!, ours: before!, theirs: theirs! })).toBe(theirs)
    }),
  )
})

test('the lines of the block are those between the markers', () => {
  expect([...blockLines('# Mine\n<!-- kotef:begin -->\n- a\n- b\n<!-- kotef:end -->\nmore\n')]).toEqual([3, 4])
  expect([...blockLines('# Mine\n<!-- kotef:begin -->\n- a\n')]).toEqual([])
})
