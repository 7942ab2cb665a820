import { expect, test } from 'vitest'
import { withTrailer } from '../../../src/trailers/write.ts'

const trailer = { key: 'Intent-ID', value: 'INT-001' }
const add = (message: string, edited = false, commentChar = '#') =>
  withTrailer(message, trailer, { edited, commentChar })

test.each([
  ['a subject', 's\n', 's\n\nIntent-ID: INT-001\n'],
  ['a message without a final newline', 's', 's\n\nIntent-ID: INT-001\n'],
  ['prose', 's\n\nbody\n', 's\n\nbody\n\nIntent-ID: INT-001\n'],
  ['a block', 's\n\nSigned-off-by: A\n', 's\n\nSigned-off-by: A\nIntent-ID: INT-001\n'],
  ['an address alone', 's\n\nhttps://example.com\n', 's\n\nhttps://example.com\n\nIntent-ID: INT-001\n'],
  ['BREAKING CHANGE', 's\n\nBREAKING CHANGE: x\n', 's\n\nBREAKING CHANGE: x\n\nIntent-ID: INT-001\n'],
  ['CRLF', 's\r\n\r\nSigned-off-by: A\r\n', 's\r\n\r\nSigned-off-by: A\r\nIntent-ID: INT-001\r\n'],
  ['a line of dashes', 's\n\nbody\n---\nmore\n', 's\n\nbody\n---\nmore\n\nIntent-ID: INT-001\n'],
  ['blank lines at the end', 's\n\n\n', 's\n\nIntent-ID: INT-001\n\n\n'],
  ['bytes that are not UTF-8', 's\xff\n', 's\xff\n\nIntent-ID: INT-001\n'],
  ['a comment that is content', 's\n\n# kept\n', 's\n\n# kept\n\nIntent-ID: INT-001\n'],
  ['an empty message', '\n \n', '\n \n'],
])('%s', (_, before, after) => expect(add(before)).toBe(after))

const CUT = '# ------------------------ >8 ------------------------'

test.each([
  ['comments stay below', 's\n# help\n', 's\n\nIntent-ID: INT-001\n\n# help\n', '#'],
  ['the diff stays below', `s\n\n${CUT}\ndiff\n`, `s\n\nIntent-ID: INT-001\n\n${CUT}\ndiff\n`, '#'],
  ['another comment character', 's\n# mine\n; help\n', 's\n# mine\n\nIntent-ID: INT-001\n\n; help\n', ';'],
  ['comments only', '# help\n', '# help\n', '#'],
])('where an editor was open, %s', (_, before, after, char) => expect(add(before, true, char)).toBe(after))
