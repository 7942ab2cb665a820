import { expect, test } from 'vitest'
import { intentignoreLines } from '../../../../src/core/intents/scope/intentignore.ts'

test('the patterns are the lines with a text that is no comment, as they are', () => {
  expect(intentignoreLines('# words\r\n\nsecret/**\r\n  \n!a b \n')).toEqual(['secret/**', '!a b '])
  expect(intentignoreLines('')).toEqual([])
})

test('a line that can not be compiled is an error that names it, and never a path that is open', () => {
  expect(() => intentignoreLines(`a\n${'x'.repeat(4097)}`)).toThrow('.intentignore:2 is longer than 4096 characters.')
  expect(intentignoreLines('x'.repeat(4096))).toHaveLength(1)
})
