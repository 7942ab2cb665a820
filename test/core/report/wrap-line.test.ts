import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapLine } from '../../../src/core/report/wrap-line.ts'

const RED = '\u001B[31mblock\u001B[39m'

test.each([
  ['a line that fits', 'one two', 7, ['one two']],
  ['a break at a word', 'one two three', 8, ['one two', 'three']],
  ['the indent of the line', '    one two three', 12, ['    one two', '    three']],
  ['the text beside its label', '  block  one two three', 18, ['  block  one two', '         three']],
  ['no room beside the label', '  block  one two', 12, ['  block  one', '  two']],
  ['a word longer than the width', 'a abcdefghijkl b', 8, ['a', 'abcdefghijkl', 'b']],
  ['a label, and a word longer than the width', 'intent   abcdefghijklmnop', 18, ['intent   abcdefghijklmnop']],
  ['a command on its own line', 'Run it: `a b c d`.', 12, ['Run it:', '`a b c d`.']],
  ['a command longer than the width', '  Run: `kotef a b c` now', 12, ['  Run:', '  `kotef a b c`', '  now']],
  ['a command after a prompt', '  criteria  $ npm test -- --all', 20, ['  criteria', '  $ npm test -- --all']],
  ['colours take no columns', `  ${RED}  one two`, 16, [`  ${RED}  one two`]],
  ['what has one colour', 'found \u001B[31m1 problem\u001B[39m.', 9, ['found', '\u001B[31m1 problem\u001B[39m.']],
  ['wide characters take two', '意图 意图 意图', 9, ['意图 意图', '意图']],
])('%s (look B14)', (_, line, columns, wanted) => {
  expect(wrapLine(line, columns).split('\n')).toEqual(wanted)
})

test('wrapping changes spaces only, and breaks no command', () => {
  const word = fc.constantFrom('a', 'bcd', 'efghijkl', '`x y`', '`kotef intent edit INT-001`', '意图')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 20, max: 60 }), (words, columns) => {
      const parts = wrapLine(`  ${words.join(' ')}`, columns).split('\n')
      expect(parts.map(it => it.trim()).join(' ')).toBe(words.join(' '))
      for (const it of parts) expect(it.split('`').length % 2).toBe(1)
    }),
  )
})
