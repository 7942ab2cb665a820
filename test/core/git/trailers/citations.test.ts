import { expect, test } from 'vitest'
import { citationIn } from '../../../../src/core/git/trailers/commits.ts'

const [A, B] = ['Intent-ID: A-1', 'Intent-ID: B-2']

test.each<[string, string, string[], string[]]>([
  ['the last paragraph', `s\n\nbody\n\n${A}\n`, ['A-1'], []],
  ['each line of it', `s\n\n${A}\n${B}\n`, ['A-1', 'B-2'], []],
  ['the same twice', `s\n\n${A}\n${A}\n`, ['A-1'], []],
  ['above the trailers of a button', `s\n\n${A}\n\n---------\n\nCo-authored-by: C <c@d>\n`, ['A-1'], []],
  ['each message of several', `s (#1)\n\n* a\n\n${A}\n\n* b\n\n${B}\n\nmore\n`, ['A-1', 'B-2'], []],
  ['each message of a squash', `Squashed commit of the following:\n\n${A}\n\nb\n\n${B}\n\nend\n`, ['A-1', 'B-2'], []],
  ['the last block alone, where nobody combined several messages', `a\n\n${A}\n\nb\n\n${B}\n`, ['B-2'], ['A-1']],
  ['the same above it', `a\n\n${A}\n\nb\n\n${A}\n`, ['A-1'], []],
  ['two paragraphs at the end', `a\n\n${A}\n\n${B}\n`, ['B-2', 'A-1'], []],
  ['not above prose', `s\n\n${A}\n\nprose\n`, [], ['A-1']],
  ['not above one list item', `s\n\n${A}\n\n* item\n`, [], ['A-1']],
  ['not among prose', `s\n\nprose\n${A}\n`, [], ['A-1']],
  ['not in the subject', `${A}\n`, [], ['A-1']],
  ['not right below the subject', `s\n${A}\n`, [], ['A-1']],
  ['nothing', 's\n\nabout Intent-ID: A-1\n', [], []],
])('what counts is %s', (_, message, cited, misplaced) => {
  expect(citationIn(message)).toEqual({ cited, misplaced })
})
