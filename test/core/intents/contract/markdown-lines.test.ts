import { expect, test } from 'vitest'
import { linesOf, LIST_ITEM } from '../../../../src/core/intents/contract/markdown-lines.ts'

test('lines have their numbers, without quotes and comments; fences and what goes on in an item are marked', () => {
  const lines = linesOf('\uFEFF> a\r\n<!-- b\n-->c\n- item\n  more\n```\ncode\n```\nend')
  expect(lines.map(it => [it.line, it.text, it.isFenced, it.isContinued])).toEqual([
    [1, 'a', false, false],
    [2, '', false, false],
    [3, '-->c'.slice(3), false, false],
    [4, '- item', false, false],
    [5, '  more', false, true],
    [6, '```', true, false],
    [7, 'code', true, false],
    [8, '```', true, false],
    [9, 'end', false, false],
  ])
  expect([lines[0]?.next, lines[4]?.before, lines[8]?.next]).toEqual(['', '- item', ''])
})

test.each(['<!-- no end', '```\nno end'])('what does not end is none: %j', text => {
  expect(linesOf(text).map(it => [it.text, it.isFenced])).toEqual(text.split('\n').map(it => [it, false]))
})

test.each([
  ['- a', 'a'],
  ['  2) b', 'b'],
  ['c', undefined],
  ['-d', undefined],
])('%j is an item: %s', (line, text) => {
  expect(LIST_ITEM.exec(line)?.[1]).toBe(text)
})
