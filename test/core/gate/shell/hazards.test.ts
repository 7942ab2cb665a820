import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { hazardIn, nestedScripts } from '../../../../src/gate/shell/hazards.ts'
import { commandIn } from './effects-fixture.ts'

test.each([
  'ls',
  'rm a',
  'echo $(rm a)',
  'echo $((1))',
  'echo ${a}',
  'echo ${a:=b}',
  'echo ${a[0]}',
  'echo ${a:1:2}',
  '[[ 1 -eq 2 ]]',
  'a[0]=1',
])('%s can be followed', line => {
  expect(hazardIn(parse(line))).toBeNull()
})

test.each([
  ['echo ((', 'does not parse'],
  ['f() { ls; }', 'function'],
  ['coproc ls', 'coprocess'],
  ['ls @(a|b)', 'parentheses'],
  ['echo $((x))', 'evaluates'],
  ['echo ${PATH:=b}', 'evaluates'],
  ['echo ${!a}', 'evaluates'],
  ['echo ${a[x]}', 'evaluates'],
  ['echo ${a:x}', 'evaluates'],
  ['echo ${a@P}', 'evaluates'],
  ['echo ${(e)a}', 'evaluates'],
  ['[[ -v a ]]', 'evaluates'],
  ['[[ x -eq 2 ]]', 'evaluates'],
  ['a[x]=1', 'evaluates'],
])('%s can not be followed: %s', (line, why) => {
  expect(hazardIn(parse(line))).toContain(why)
})

test('a hazard is found at any depth', () => {
  expect(hazardIn(parse('if a; then echo "$(b $((x)))"; fi'))).toContain('evaluates')
})

test('each substitution in a command is a script of its own, and what is in it belongs to that', () => {
  const scripts = nestedScripts(commandIn('echo $(a $(b)) `c` <(d) "$(e)"'))
  expect(scripts).toHaveLength(4)
})
