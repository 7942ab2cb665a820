import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { hazardInSh, hazardOfScript, nestedScripts } from '../../../../../src/core/agents/gate/shell/hazards.ts'
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
  expect(hazardOfScript(parse(line), line)).toBeNull()
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
  ['echo ${a@$b}', 'evaluates'],
  ['echo ${PATH[0]:=b}', 'evaluates'],
  ['[[ -t x ]]', 'evaluates'],
  ['echo ${a/$(ls /; rm x)/}', 'understood'],
  ['echo ${(e)a}', 'evaluates'],
  ['[[ -v a ]]', 'evaluates'],
  ['[[ x -eq 2 ]]', 'evaluates'],
  ['a[x]=1', 'evaluates'],
  ["echo 'a[$(rm x)]'", 'evaluates'],
  ['echo a[\\$\\(rm x\\)]', 'evaluates'],
  ['echo "x$=a"', 'agree'],
  ['[[ a > b ]]', 'agree'],
  ['((1>2))', 'agree'],
  ["echo $'\\''", 'agree'],
  ['cat <<$"E"\nE', 'agree'],
])('%s can not be followed: %s', (line, why) => {
  expect(hazardOfScript(parse(line), line)).toContain(why)
})

test('a hazard is found at any depth', () => {
  const line = 'if a; then echo "$(b $((x)))"; fi'
  expect(hazardOfScript(parse(line), line)).toContain('evaluates')
})

test('each substitution in a command is a script of its own, and what is in it belongs to that', () => {
  const scripts = nestedScripts(commandIn('echo $(a $(b)) `c` <(d) "$(e)"'))
  expect(scripts).toHaveLength(4)
})

test.each(['ls', 'a=1 ls "$x" | wc -l', 'if [ -f a ]; then ls; fi'])('any shell reads %s alike', line => {
  expect(hazardInSh(parse(line))).toBeNull()
})

test.each(['[[ a ]]', 'ls; ((1))', "echo $'a'", 'echo $"a"', 'cat <<< a', 'cat <(ls)', 'ls &> a', 'ls |& cat'])(
  'not every shell reads %s as bash does',
  line => {
    expect(hazardInSh(parse(line))).toContain('agree')
  },
)
