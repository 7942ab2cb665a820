import { expect, test } from 'vitest'
import { findExpression } from '../../../../../src/core/agents/gate/shell/find-program.ts'
import { readShell } from '../../../../../src/core/agents/gate/shell/read-shell.ts'

test.each<[line: string, kind: string]>([
  ['find . -exec cat {} +', 'read'],
  ['find . -name x -exec grep -l y {} \\; -print', 'read'],
  ["find . -exec sed -n '1,5p' {} \\;", 'read'],
  ['find . -exec bash -c \'cat "$1"\' _ {} \\;', 'read'],
  ['find "$PWD" -exec ls {} +', 'read'],
  ['find . -exec rm {} +', 'opaque'],
  ['find . -exec sed -i p {} +', 'opaque'],
  ['find . -exec uniq {} +', 'opaque'],
  ['find . -exec xxd {} +', 'opaque'],
  ['find . -exec xxd {} \\;', 'read'],
  ["find . -exec sh -c 'cat {}' \\;", 'opaque'],
  ['find . -exec {} \\;', 'opaque'],
  ['find . -exec cat {} \\; -delete', 'opaque'],
  ['find . -exec cat "$x" "$y" rm {} \\;', 'opaque'],
  ['find . -execdir sed -n p {} \\;', 'opaque'],
  ['find "$x" -exec cat {} \\;', 'opaque'],
  ['find . -exec cat {}', 'opaque'],
])('%s: %s', (line, kind) => {
  expect(readShell(line).kind).toBe(kind)
})

test('-execdir and -okdir run in the folder of each file, -exec and -ok where find runs', () => {
  const words = 'x -exec a ; -execdir b {} + -ok c ; -okdir d ;'.split(' ')
  const args = words.map(text => ({ text, isOperand: !text.startsWith('-'), source: text }))
  const { rest, commands } = findExpression(args)
  expect(rest.map(it => it.text)).toEqual(['x'])
  expect(commands.map(it => [it.words[0]?.text, it.isInFolder])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
    ['d', true],
  ])
})
