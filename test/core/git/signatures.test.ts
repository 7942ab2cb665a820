import { expect, test } from 'vitest'
import { signatureBy } from '../../../src/core/git/signatures.ts'

test.each([
  ['G SHA256:abc\n', 'good'],
  ['G 0123456789ABCDEF\n', 'unlisted'],
  ['U SHA256:abc\n', 'unlisted'],
  ['X SHA256:abc\n', 'unlisted'],
  ['Y 0123\n', 'unlisted'],
  ['R 0123\n', 'unlisted'],
  ['B \n', 'bad'],
  ['E 0123\n', 'unchecked'],
  ['N \n', 'none'],
  ['', 'unchecked'],
])('of what git prints of a signature, %j is %s', (out, signature) => {
  expect(signatureBy('keys', 'HEAD').parse(out)).toBe(signature)
})
