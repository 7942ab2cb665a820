import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameFor } from '../../../src/world/io/files/file-name.ts'

test.each([
  ['0b1f6f0e-7e0c-4a52-9a3f-0123456789ab', '0b1f6f0e-7e0c-4a52-9a3f-0123456789ab'],
  ['s', 's'],
  ['S', '_0053'],
  ['../x', '_002e_002e_002fx'],
  ['_0053', '_005f0053'],
  ['é', '_00e9'],
  ['', ''],
])('%s has the name %s', (text, name) => {
  expect(fileNameFor(text)).toBe(name)
})

test('what is long has a name that is not, and that no short text has', () => {
  const name = fileNameFor('x'.repeat(101))
  expect(name).toMatch(/^_sha256_[\da-f]{64}$/)
  expect(fileNameFor('x'.repeat(100))).toBe('x'.repeat(100))
  expect(fileNameFor(name)).not.toBe(name)
})

test('two texts never have one name, on a disk that takes any case either', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 120 })
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [a, b] = [fileNameFor(one), fileNameFor(other)]
      expect(a === b).toBe(one === other)
      for (const it of [a, b]) expect(it).toMatch(/^[\da-z_-]{0,100}$/)
    }),
  )
})
