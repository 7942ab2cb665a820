import { expect, test } from 'vitest'
import { plainBuiltinEffects } from '../../../../../src/core/agents/gate/shell/plain-builtins.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['read -r a b', []],
  ["read -r -d '' f", []],
  ["read 'a[$(x)]'", null],
  ['read PATH', ['opaque']],
  ['read -e a', null],
  ['mapfile -t a', []],
  ['mapfile -C x a', null],
  ["mapfile -O 'a[$(x)]' b", null],
  ['unset FOO', []],
  ['unset -f ls', []],
  ['unset PATH', ['opaque']],
  ["unset 'a[$(x)]'", null],
  ['declare -p PATH', []],
  ['declare -x a=b', null],
  ['export -p', []],
  ['alias', []],
  ["alias ls='rm a'", null],
  ['hash', []],
  ['hash -p x ls', null],
  ['shopt -s globstar', []],
  ['shopt -s expand_aliases', null],
  ['shopt', []],
  ['history 3', []],
  ['history -w a', null],
  ['compgen -c', []],
  ["compgen -W '$(x)'", null],
  ['ls', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(plainBuiltinEffects(programOf(line), argsOf(line)))).toEqual(effects)
})
