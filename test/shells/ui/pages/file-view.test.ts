import { expect, test } from 'vitest'
import type { FileColours } from '../../../../src/shells/ui/pages/file-facts.ts'
import { FILE_LINES_SHOWN, fileView, firstOfPage } from '../../../../src/shells/ui/pages/file-view.ts'
import { fileLines } from '../../../rig/file-lines.ts'

const WISHES = [
  { intent: 'INT-001', type: 'ai', model: 'opus' },
  { intent: 'INT-001', type: 'ai', model: 'opus' },
  { intent: 'INT-002', type: 'human' },
  { intent: 'INT-001', type: 'ai', model: 'opus', doubt: 'person' },
  { type: 'unknown' },
  { intent: 'INT-001', type: 'ai', commit: null },
] as const

const viewOf = (by: FileColours, only: string | null = null, from = 0) => {
  const { lines, texts } = fileLines(WISHES)
  return fileView(lines, texts, { by, only, from })
}

test('the groups of all lines add up to the lines of the file, the largest first', () => {
  expect(viewOf('intent').groups.map(it => [it.key, it.lines])).toEqual([
    ['intent:INT-001', 4],
    ['intent:', 1],
    ['intent:INT-002', 1],
  ])
})

test('an author in doubt, a model that is not known and nobody known are groups of their own', () => {
  expect(viewOf('author').groups.map(it => [it.key, it.lines])).toEqual([
    ['author:ai:opus', 2],
    ['author:ai:', 1],
    ['author:ai?:opus', 1],
    ['author:human:', 1],
    ['author:unknown:', 1],
  ])
})

test('each group is the address of as many lines as it counts', () => {
  for (const by of ['intent', 'author'] as const)
    for (const { key, lines } of viewOf(by).groups) {
      const shown = viewOf(by, key)
      expect(shown.blocks.flatMap(it => it.lines)).toHaveLength(lines)
      expect(shown.only?.lines).toBe(lines)
    }
  expect(viewOf('intent', 'uncommitted').blocks.flatMap(it => it.lines)).toHaveLength(viewOf('intent').uncommitted)
})

test('a group of the other colours can be shown, and a group without lines has none', () => {
  expect(viewOf('intent', 'author:human:').blocks.flatMap(it => it.lines.map(of => of.number))).toEqual([3])
  expect(viewOf('intent', 'intent:INT-999')).toMatchObject({ total: 6, only: { lines: 0 }, blocks: [] })
})

test('a block has lines below each other with one commit and one author', () => {
  expect(viewOf('intent').blocks.map(it => it.lines.map(of => of.text))).toEqual([
    ['line 1', 'line 2'],
    ['line 3'],
    ['line 4'],
    ['line 5'],
    ['line 6'],
  ])
  // Lines 2 and 4 are of one intent, but not below each other.
  expect(viewOf('intent', 'intent:INT-001').blocks.map(it => it.lines.map(of => of.number))).toEqual([[1, 2], [4], [6]])
})

test('a long file is shown in pages, and each line is on exactly one', () => {
  const count = FILE_LINES_SHOWN * 2 + 7
  const { lines, texts } = fileLines(Array.from({ length: count }, () => ({})))
  const shown: number[] = []
  for (let from = 0; from < count; from += FILE_LINES_SHOWN) {
    const page = fileView(lines, texts, { by: 'intent', only: null, from })
    shown.push(...page.blocks.flatMap(it => it.lines.map(of => of.number)))
  }
  expect(shown).toEqual(lines.map(it => it.line))
})

test.each([
  [0, 0],
  [499, 0],
  [500, 500],
  [1_200, 1_000],
  [99_999, 1_000],
  [-5, 0],
  [Number.NaN, 0],
])('a page that shall have row %d of 1,234 begins at %d', (row, first) => {
  expect(firstOfPage(row, { rows: 1_234, size: 500 })).toBe(first)
  expect(firstOfPage(row, { rows: 0, size: 500 })).toBe(0)
})

test('a line of a megabyte is cut', () => {
  const { lines } = fileLines([{}])
  const [block] = fileView(lines, ['x'.repeat(1_000_000)], { by: 'intent', only: null, from: 0 }).blocks
  expect(block?.lines[0]?.text).toMatch(/^x{2000} …$/)
})
