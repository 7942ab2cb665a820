import { expect, test } from 'vitest'
import { isBinary, byteLines, nulSeparated, trimLine } from '../../../src/core/base/lines.ts'

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['\n', ['']],
  ['\n\n', ['', '']],
  ['\r\n', ['']],
  ['a\rb\n', ['a\rb']],
  ['a\r', ['a\r']],
])('%j has the lines %j', (text, lines) => {
  expect(byteLines(Buffer.from(text)).map(String)).toEqual(lines)
})

test.each([
  ['', ''],
  ['  ', ''],
  ['\t a b \v\f\r', 'a b'],
  ['\u00a0a', '\u00a0a'],
])('%j trimmed is %j', (line, bare) => {
  expect(String(trimLine(Buffer.from(line)))).toBe(bare)
})

test.each([
  ['', []],
  ['a', []],
  ['a\0', ['a']],
  ['a\0\0ü\n\0b', ['a', '', 'ü\n']],
])('%j has the texts %j, each before its NUL', (text, texts) => {
  expect([...nulSeparated(Buffer.from(text))]).toEqual(texts)
})

test('a NUL among the first 8,000 bytes makes a file binary, as in git', () => {
  const at = (n: number) => Buffer.concat([Buffer.alloc(n, 'a'), Buffer.from([0])])
  expect([isBinary(at(0)), isBinary(at(7_999)), isBinary(at(8_000)), isBinary(Buffer.from('text'))]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
