import { expect, test } from 'vitest'
import {
  trailersInAnyParagraph,
  uncommentLines,
  unindentLines,
} from '../../../../src/core/git/trailers/combined-messages.ts'
import { trailerValues } from '../../../../src/core/git/trailers/parse-trailers.ts'

const ids = (message: string) => trailerValues(trailersInAnyParagraph(message), 'Intent-ID')

test.each([
  ['each block counts', 'a\n\nIntent-ID: A-1\n\nb\n\nSigned-off-by: B\nintent-id: A-2\n', ['A-1', 'A-2']],
  ['prose does not', 'a\n\nabout Intent-ID: A-1\nand Intent-ID: A-2\n', []],
  ['a subject does not', 'Intent-ID: A-1\n\nbody\n', []],
])('%s', (_, message, found) => expect(ids(message)).toEqual(found))

test('what a rebase is about to squash is read, and so is what it drops as a comment', () => {
  const combined = '# 2 commits\n# the 1st:\n\na\n\nIntent-ID: A-1\n\n# skipped:\n\n# fixup! b\n#\n# Intent-ID: A-2\n'
  expect(ids(uncommentLines(combined, '#'))).toEqual(['A-1', 'A-2'])
})

test('what `git merge --squash` shows indented is read', () => {
  const shown = 'Squashed commit of the following:\n\ncommit 01\nAuthor: A\nDate:   x\n\n    b\n\n    Intent-ID: A-1\n'
  expect(ids(unindentLines(shown))).toEqual(['A-1'])
})
