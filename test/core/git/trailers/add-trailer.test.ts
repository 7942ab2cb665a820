import { expect, test } from 'vitest'
import type { MessageCleanup } from '../../../../src/core/git/trailers/cleanup.ts'
import { withTrailer } from '../../../../src/core/git/trailers/add-trailer.ts'

const unedited: MessageCleanup = {
  comment: '#',
  syntax: { comment: '#', keys: [] },
  mode: 'whitespace',
  edited: false,
}
const edited: MessageCleanup = { ...unedited, mode: 'strip', edited: true }
const add = (message: string, how: MessageCleanup) => withTrailer(message, { key: 'Intent-ID', value: 'INT-001' }, how)

test.each([
  ['a subject', 's\n', 's\n\nIntent-ID: INT-001\n'],
  ['a message without a final newline', 's', 's\n\nIntent-ID: INT-001\n'],
  ['prose', 's\n\nbody\n', 's\n\nbody\n\nIntent-ID: INT-001\n'],
  ['a block', 's\n\nSigned-off-by: A\n', 's\n\nSigned-off-by: A\nIntent-ID: INT-001\n'],
  ['a block with a folded value', 's\n\nKey: a\n  b\n', 's\n\nKey: a\n  b\nIntent-ID: INT-001\n'],
  ['an address alone', 's\n\nhttps://example.com\n', 's\n\nhttps://example.com\n\nIntent-ID: INT-001\n'],
  ['BREAKING CHANGE', 's\n\nBREAKING CHANGE: x\n', 's\n\nBREAKING CHANGE: x\n\nIntent-ID: INT-001\n'],
  ['CRLF', 's\r\n\r\nSigned-off-by: A\r\n', 's\r\n\r\nSigned-off-by: A\r\nIntent-ID: INT-001\r\n'],
  ['a line of dashes', 's\n\nbody\n---\nmore\n', 's\n\nbody\n---\nmore\n\nIntent-ID: INT-001\n'],
  ['blank lines at the end', 's\n\n\n', 's\n\nIntent-ID: INT-001\n\n\n'],
  ['bytes that are not UTF-8', 's\xff\n', 's\xff\n\nIntent-ID: INT-001\n'],
  ['a comment that is content', 's\n\n# kept\n', 's\n\n# kept\n\nIntent-ID: INT-001\n'],
  ['a block above a comment', 's\n\nKey: v\n\n# kept\n', 's\n\nKey: v\nIntent-ID: INT-001\n\n# kept\n'],
  ['an empty message', '\n \n', '\n \n'],
])('%s', (_, before, after) => expect(add(before, unedited)).toBe(after))

const CUT = '------------------------ >8 ------------------------\n'
const by = (comment: string): MessageCleanup => ({ ...edited, comment, syntax: { comment, keys: [] } })

test.each<[string, string, string, MessageCleanup]>([
  ['comments stay below', 's\n# help\n', 's\n\nIntent-ID: INT-001\n\n# help\n', edited],
  ['the diff stays below', `s\n\n# ${CUT}diff\n`, `s\n\nIntent-ID: INT-001\n\n# ${CUT}diff\n`, edited],
  ['another comment character', 's\n# mine\n; help\n', 's\n# mine\n\nIntent-ID: INT-001\n\n; help\n', by(';')],
  ['a comment string', `s\n\n// ${CUT}diff\n`, `s\n\nIntent-ID: INT-001\n\n// ${CUT}diff\n`, by('//')],
  ['comments only', '# help\n', '# help\n', edited],
  ['comments that are kept', 's\n\n# x\n', 's\n\n# x\n\nIntent-ID: INT-001\n', { ...edited, mode: 'scissors' }],
])('where an editor was open, %s', (_, before, after, how) => expect(add(before, how)).toBe(after))

test('a paragraph that is partly prose is a block when the config names one of its keys', () => {
  const how = { ...unedited, syntax: { comment: '#', keys: ['ticket'] } }
  expect(add('s\n\nprose\nTicket: 1\n', how)).toBe('s\n\nprose\nTicket: 1\nIntent-ID: INT-001\n')
  expect(add('s\n\nprose\nTicket: 1\n', unedited)).toBe('s\n\nprose\nTicket: 1\n\nIntent-ID: INT-001\n')
})
