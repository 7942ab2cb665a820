import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeForTerminal, escapeInvisible, printable, shellQuoted } from '../../../src/core/base/printable.ts'

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['a b/ü–日本.ts', 'a b/ü–日本.ts'],
  [' a', '" a"'],
  ['a"b', '"a\\"b"'],
  ['a\nb', '"a\\nb"'],
  ['\x1b[31m', '"\\u001b[31m"'],
  ['a\u202eb', '"a\\u202eb"'],
  ['a\u{e0041}b', '"a\\u{e0041}b"'],
  ['a\u200bb', '"a\\u200bb"'],
  ['', '""'],
])('%j is printed as %s', (path, expected) => expect(printable(path)).toBe(expected))

test('no text keeps what steers a terminal, and a layout stays', () => {
  const steering = /[\p{Bidi_Control}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u
  const character = fc.constantFrom(...Array.from({ length: 0x2070 }, (_, n) => String.fromCharCode(n)))
  fc.assert(fc.property(fc.array(character), it => !steering.test(escapeForTerminal(it.join('')))))
  for (let n = 0; n < 0x2070; n++) expect(steering.test(escapeForTerminal(String.fromCharCode(n)))).toBe(false)
  expect(escapeForTerminal('a\n\tü "b" \u200d👩')).toBe('a\n\tü "b" \u200d👩')
})

test('what a person is to judge shows what shows nothing as well', () => {
  expect(escapeInvisible('a\n\tü\u200b\u200d\u202e\x1b\u{e0041}')).toBe('a\n\tü\\u200b\\u200d\\u202e\\u001b\\u{e0041}')
})

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['$(x)', "'$(x)'"],
  ['', "''"],
])('%j is the shell word %s', (text, expected) => expect(shellQuoted(text)).toBe(expected))
