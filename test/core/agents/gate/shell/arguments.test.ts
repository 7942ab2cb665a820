import { expect, test } from 'vitest'
import { type OptionForm, parseArguments } from '../../../../../src/core/agents/gate/shell/arguments.ts'
import { argsOf } from './effects-fixture.ts'

const form: OptionForm = 'abo: --all --out='

test.each<[line: string, options: readonly (readonly [string, string | null])[], operands: readonly string[]]>([
  ['x', [], []],
  ['x a b', [], ['a', 'b']],
  [
    'x -ab c',
    [
      ['a', null],
      ['b', null],
    ],
    ['c'],
  ],
  ['x -o v c', [['o', 'v']], ['c']],
  [
    'x -aov c',
    [
      ['a', null],
      ['o', 'v'],
    ],
    ['c'],
  ],
  ['x c -a d', [['a', null]], ['c', 'd']],
  [
    'x --all --out=v c',
    [
      ['all', null],
      ['out', 'v'],
    ],
    ['c'],
  ],
  ['x --out v c', [['out', 'v']], ['c']],
  ['x --out= c', [['out', '']], ['c']],
  ['x -a -- -b c', [['a', null]], ['-b', 'c']],
  ['x - c', [], ['-', 'c']],
  ['x "a b"', [], ['a b']],
])('%s has the options %j and the operands %j', (line, options, operands) => {
  const parsed = parseArguments(argsOf(line), form)
  expect(parsed?.options).toEqual(options)
  expect(parsed?.operands.map(it => it.text)).toEqual(operands)
})

test.each([
  'x -c',
  'x -ac',
  'x --any',
  'x --all=v',
  'x -o',
  'x -:',
  'x -a:',
  'x --=v',
  'x -o $v',
  'x $v',
  'x "$v"',
  'x --out',
])('%s may have an option that the form does not have', line => {
  expect(parseArguments(argsOf(line), form)).toBeNull()
})

test('an operand that is only known at run time is one, when it can not be an option', () => {
  expect(parseArguments(argsOf('x a*'), form)?.operands).toMatchObject([{ text: null, source: 'a*' }])
})

test('with a `+` before the form, all words from the first operand on are operands', () => {
  const words = parseArguments(argsOf('x -a c -b -- d'), `+${form}`)
  expect(words?.options).toEqual([['a', null]])
  expect(words?.operands.map(it => it.text)).toEqual(['c', '-b', '--', 'd'])
})
