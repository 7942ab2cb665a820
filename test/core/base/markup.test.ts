import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { htmlText, markdownCode, singleLine } from '../../../src/core/base/markup.ts'

/** The inline parts of a list item in Markdown, as any program reads it. */
function partsOf(markdown: string): string[] {
  const [list, ...more] = fromMarkdown(markdown).children
  if (list?.type !== 'list' || list.children.length !== 1 || more.length > 0) return ['more than one item']
  const [paragraph, ...below] = list.children[0]?.children ?? []
  if (paragraph?.type !== 'paragraph' || below.length > 0) return ['more than one paragraph']
  return paragraph.children.map(it => ('value' in it ? `${it.type} ${it.value}` : it.type))
}

const HOSTILE = [
  '`',
  '``',
  '\n',
  '\r\n',
  '|',
  '<script>',
  '-->',
  '\\',
  '[a](b)',
  '@me',
  '#1',
  ' ',
  '~~~',
  '&lt;',
  '$',
  '*',
]
const anyText = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' }))).map(it => it.join(''))

test('whatever a text has, in Markdown it is one code span with that text', () => {
  fc.assert(
    fc.property(anyText, text => {
      const line = singleLine(text, 10_000)
      const shown = line.trim() === '' ? '(empty)' : line
      expect(partsOf(`- ${markdownCode(line)} end`)).toEqual([`inlineCode ${shown}`, 'text  end'])
    }),
  )
})

test('whatever a text has, in HTML it begins no tag, ends no attribute, and is read as that text', () => {
  fc.assert(
    fc.property(anyText, text => {
      const escaped = htmlText(text)
      expect(escaped).not.toMatch(/[<>"'`]|&(?!#\d+;)/)
      expect(escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text)
    }),
  )
})

test.each([
  ['a\nb\tc', 'a\\nb\\tc'],
  ['a\r\nb', 'a\\u000d\\nb'],
  ['no\u202emore', 'no\\u202emore'],
  ['\u0000', '\\u0000'],
  ['ünï', 'ünï'],
])('%j as a line is %s', (text, line) => {
  expect(singleLine(text, 100)).toBe(line)
})

test('of a long text the beginning is shown, and how much there is more', () => {
  expect(singleLine('x'.repeat(10), 10)).toBe('x'.repeat(10))
  expect(singleLine('😀'.repeat(12), 10)).toBe(`${'😀'.repeat(10)}… and 2 more characters`)
})
