import { expect, test } from 'vitest'
import { listPart, renderSheet, type Sheet, sheetObject, valuePart } from '../../../../src/core/agents/context/sheet.ts'

const sheet = (...parts: Sheet['parts']): Sheet => ({ name: 'sheet', parts })
const small = sheet(
  valuePart('id', 'INT-001'),
  listPart('globs', 'glob', ['a', 'b']),
  listPart('files', 'file', [{ text: 'a', about: { state: 'x', by: null } }]),
  listPart('none', 'item', []),
)

test('XML has an element for each part, and an attribute for each thing that is known about an entry', () => {
  expect(renderSheet(small, 'xml').split('\n')).toEqual([
    ...['<sheet>', '  <id>INT-001</id>', '  <globs>', '    <glob>a</glob>', '    <glob>b</glob>', '  </globs>'],
    ...['  <files>', '    <file state="x">a</file>', '  </files>', '  <none></none>', '</sheet>'],
  ])
})

test('Markdown has a heading for each part, and a code span for each value', () => {
  expect(renderSheet(small, 'md').split('\n')).toEqual([
    ...['# sheet', '', '## id', '`INT-001`', '', '## globs', '- `a`', '- `b`', '', '## files', '- `a`, state `x`'],
    ...['', '## none', 'none'],
  ])
})

test('JSON has the same parts, and an entry about which nothing is known is its text', () => {
  const value = { id: 'INT-001', globs: ['a', 'b'], files: [{ file: 'a', state: 'x' }], none: [] }
  expect(sheetObject(small)).toEqual(value)
  expect(JSON.parse(renderSheet(small, 'json'))).toEqual({ sheet: value })
})

test.each([
  ['</id><x a="b">&', '&lt;/id&gt;&lt;x a=&quot;b&quot;&gt;&amp;'],
  ['a\nb', 'a\nb'],
])('in XML %j is %j', (text, shown) => {
  expect(renderSheet(sheet(valuePart('id', text)), 'xml')).toBe(`<sheet>\n  <id>${shown}</id>\n</sheet>`)
})

test('in an attribute of XML line ends and tabs are references', () => {
  const part = listPart('x', 'y', [{ text: '', about: { a: '"\n\t' } }])
  expect(renderSheet(sheet(part), 'xml')).toContain('<y a="&quot;&#10;&#9;"></y>')
})

test.each([
  ['', 'nothing'],
  ['a`b', '``a`b``'],
  ['a``b`', '``` a``b` ```'],
  [' a ', '`  a  `'],
  ['a\n# b', '`a\\n# b`'],
])('in Markdown %j is %j', (text, shown) => {
  expect(renderSheet(sheet(valuePart('id', text)), 'md')).toBe(`# sheet\n\n## id\n${shown}`)
})
