import { expect, test } from 'vitest'
import { renumberedCommit } from '../../../../src/core/git/trailers/renumber-commit.ts'

const HEADER = `tree 1111111111111111111111111111111111111111
parent 2222222222222222222222222222222222222222
parent 3333333333333333333333333333333333333333
author A <a@b> 1700000000 +0200
committer B <b@c> 1700000001 -0300
`
const ids = { from: 'INT-005', to: 'INT-007', parents: new Map<string, string>(), cites: true }

test.each([
  ['a trailer', 'work\n\nIntent-ID: INT-005\n', 'work\n\nIntent-ID: INT-007\n'],
  [
    'one of several',
    'w\n\nIntent-ID: INT-001\nintent-id:INT-005 \nX: y\n',
    'w\n\nIntent-ID: INT-001\nintent-id:INT-007 \nX: y\n',
  ],
  [
    'those of a squash',
    '* a\n\nIntent-ID: INT-005\n\n* b\n\nIntent-ID: INT-005\n',
    '* a\n\nIntent-ID: INT-007\n\n* b\n\nIntent-ID: INT-007\n',
  ],
  ['no longer id', 'w\n\nIntent-ID: INT-0051\nIntent-ID: INT-005\n', 'w\n\nIntent-ID: INT-0051\nIntent-ID: INT-007\n'],
  ['no text', 'INT-005: w\n\nIntent-ID: INT-005\n\nsee above\n', 'INT-005: w\n\nIntent-ID: INT-005\n\nsee above\n'],
  ['bytes that are not UTF-8', 'w \xe4\n\nIntent-ID: INT-005', 'w \xe4\n\nIntent-ID: INT-007'],
])('changes %s', (_, message, again) => {
  expect(renumberedCommit(`${HEADER}\n${message}`, ids)).toBe(`${HEADER}\n${again}`)
})

test('names the new parents, and leaves the message of a commit that only follows', () => {
  const parents = new Map([['3'.repeat(40), '4'.repeat(40)]])
  const object = `${HEADER}\nparent ${'3'.repeat(40)}\n\nIntent-ID: INT-005\n`
  const again = object.replace(`parent ${'3'.repeat(40)}\nauthor`, `parent ${'4'.repeat(40)}\nauthor`)
  expect(renumberedCommit(object, { ...ids, parents, cites: false })).toBe(again)
})

test('leaves out a signature, and keeps other headers', () => {
  const signed = `${HEADER}gpgsig -----BEGIN\n one\n \n two\nencoding ISO-8859-1\n\nw\n`
  expect(renumberedCommit(signed, ids)).toBe(`${HEADER}encoding ISO-8859-1\n\nw\n`)
})
