import { expect, test } from 'vitest'
import { argOf } from '../../../../../src/core/agents/gate/shell/arguments.ts'
import { commandIn } from './effects-fixture.ts'

test.each<[word: string, text: string | null, isOperand: boolean]>([
  ['a', 'a', true],
  ['-a', '-a', false],
  ['"-a b"', '-a b', false],
  ["'-a'", '-a', false],
  ['$x', null, false],
  ['"$x"', null, false],
  ['a$x', null, false],
  ['*.ts', null, false],
  ['a*', null, true],
  ['~/a', '~/a', true],
  ['~x/a', null, true],
  ['{a,b}', null, false],
  ['a=b', 'a=b', true],
  ['a=$b', null, false],
  ['-$x', null, false],
  ['./$x', null, false],
  ['"a b"', 'a b', true],
  ["$'a'", 'a', true],
  ['`x`', null, false],
])('%s has the value %j; it can not be an option: %j', (word, text, isOperand) => {
  expect(argOf(secondWord(word))).toMatchObject({ text, isOperand, source: word })
})

function secondWord(word: string) {
  const [argument] = commandIn(`x ${word}`).args
  if (!argument) throw new Error(`${word} is not a word`)
  return argument
}
