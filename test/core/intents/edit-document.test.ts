import { isMap, parseDocument } from 'yaml'
import { expect, test } from 'vitest'
import { editDocument, withScalars } from '../../../src/core/intents/edit-document.ts'

test.each([
  ['comments and order', '# top\nb: 1 # why\na: 2\n', '# top\nb: 1 # why\na: 3\n'],
  ['brackets as they were written', 'b: [1,2]\na: 2\n', 'b: [1,2]\na: 3\n'],
  ['Windows line ends', 'b: 1\r\na: 2\r\n', 'b: 1\r\na: 3\r\n'],
])('an edit keeps %s', (_, text, edited) => {
  expect(editDocument(text, doc => doc.set('a', 3))).toBe(edited)
})

test('values are replaced and no other byte, or nothing where one is not there', () => {
  const text = 'a:   x  # x\nb: "x"\n'
  const { contents } = parseDocument(text)
  const nodes = isMap(contents) ? contents.items.map(it => it.value) : []
  expect(
    withScalars(
      text,
      nodes.map(node => ({ node, value: 'y' })),
    ),
  ).toBe('a:   y  # x\nb: y\n')
  expect(withScalars(text, [{ node: undefined, value: 'y' }])).toBe(null)
})
