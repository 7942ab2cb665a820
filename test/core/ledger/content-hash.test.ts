import { expect, test } from 'vitest'
import { byteLines } from '../../../src/core/base/lines.ts'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'
import { contentHash, lineHashes } from '../../../src/core/ledger/content-hash.ts'

const hasher = await loadHasher()
const hashOf = (text: string): string => contentHash(hasher, byteLines(Buffer.from(text)))

test('the two hash functions are those of the xxHash specification', () => {
  const of = (text: string) => [hasher.xxh64(Buffer.from(text)), hasher.xxh32(Buffer.from(text)).toString(16)]
  expect(of('')).toEqual(['ef46db3751d8e999', '2cc5d05'])
  expect(of('a')).toEqual(['d24ec4f1a98c6e5b', '550d7456'])
  expect(of('abc')).toEqual(['44bc2cf5ad770999', '32d153ff'])
})

// The vectors of docs/formats.md.
test.each([
  ['one line', 'hello\n', 'xxh64:e4c191d091bd8853', '-wB3-Q'],
  ['two lines', 'const a = 1\nconst b = 2\n', 'xxh64:8bd3492a2abb3ddd', '9TIwOF5yE-Q'],
  ['an indented line', '    return x\n', 'xxh64:91b7b14b7c344649', '0s0SXA'],
  ['UTF-8', 'grüße ✓\n', 'xxh64:786c32d2ebad2e57', 'Nzki6g'],
  ['an empty line', '\n', 'xxh64:cafc7706cee4572b', 'AsxdBQ'],
])('%s hashes to the published value', (_, text, content, lines) => {
  expect([hashOf(text), lineHashes(hasher, byteLines(Buffer.from(text)))]).toEqual([content, lines])
})

test.each([
  ['a missing final newline', 'a\nb\n', 'a\nb'],
  ['CRLF', 'a\nb\n', 'a\r\nb\r\n'],
  ['mixed endings', 'a\nb\n', 'a\r\nb'],
])('%s does not change a content hash', (_, one, other) => {
  expect(hashOf(other)).toBe(hashOf(one))
})

test('white space within the lines does', () => {
  expect(new Set(['a b\n', 'ab\n', 'a  b\n', ' a b\n', 'a b \n', 'a\nb\n', 'a\n\nb\n'].map(hashOf)).size).toBe(7)
})

test('a line hash is that of the line without the white space at its ends', () => {
  const of = (line: string) => lineHashes(hasher, [Buffer.from(line)])
  expect(of('\t  if (x) {  ')).toBe(of('if (x) {'))
  expect(of('if (x) {')).not.toBe(of('if (x)  {'))
  expect(Buffer.from(of('if (x) {'), 'base64url').readUInt32BE()).toBe(hasher.xxh32(Buffer.from('if (x) {')))
})
