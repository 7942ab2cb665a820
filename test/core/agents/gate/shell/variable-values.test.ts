import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { setsOtherwise, valuesSetIn } from '../../../../../src/core/agents/gate/shell/variable-values.ts'

test.each<[line: string, value: string]>([
  ['x=a', 'text a'],
  ['x="a b"', 'unknown'],
  ['x=', 'unknown'],
  ['x=5', 'number'],
  ['x=05', 'text 05'],
  ['x=$?', 'number'],
  ['x=$((1 + 1))', 'number'],
  ['x="$(wc -l < a)"', 'count'],
  ['x=$(wc -l < a)b', 'unknown'],
  ['x=$(git rev-parse HEAD)', 'word'],
  ['x=$(pwd)', 'name'],
  ['x=$(cat a)', 'unknown'],
  ['x=$y', 'unknown'],
  ['x+=a', 'unknown'],
  ['x=(a)', 'unknown'],
  ['x=a; x=a', 'text a'],
  ['x=a; x=b', 'word'],
  ['x=a; x=-b', 'unknown'],
  ['x=1; x=$(wc -l)', 'count'],
  ['x=a; (x=-b)', 'unknown'],
  ['x=a; echo $(x=-b)', 'unknown'],
  ['x=a; read -r x', 'unknown'],
  ['x=a; echo ${x:=b}', 'unknown'],
  ['x=a; echo ${x:-b}', 'text a'],
  ['x=1; ((x++))', 'unknown'],
  ['x=1; ((x += 2))', 'unknown'],
  ['x=1; ((x == 2))', 'number'],
  ['for x in a b; do :; done', 'word'],
  ['for x in {1..3}; do :; done', 'number'],
  ['for x in a -b; do :; done', 'unknown'],
  ['for x in src/*; do :; done', 'name'],
  ['for x in *; do :; done', 'unknown'],
  ['for x; do :; done', 'unknown'],
])('%s: x is %s', (line, value) => {
  const found = valuesSetIn(parse(line)).get('x')
  expect(found?.kind === 'text' ? `text ${found.text}` : found?.kind).toBe(value)
})

test.each<[line: string, sets: boolean]>([
  ['echo a', false],
  ['read -r x', false],
  ['read -ra x', true],
  ['command read -n1 x', true],
  ["re'ad' -a x", true],
  ['eval a', true],
  ['. ./a', true],
  ['export x=a', true],
  ['trap a EXIT', true],
  ['f() { :; }', true],
  ['$x a', true],
  ['cat {fd}<a', true],
  ['echo $(unset x)', true],
])('%s sets variables otherwise: %s', (line, sets) => {
  expect(setsOtherwise(parse(line))).toBe(sets)
})
