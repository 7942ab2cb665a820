import { expect, test } from 'vitest'
import { assignmentEffects, builtinEffects } from '../../../../../src/core/agents/gate/shell/builtins.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['export a=b', []],
  ['export PATH=x', ['opaque']],
  ['export KOTEF=0', ['switch the variable KOTEF']],
  ['declare -x a', []],
  ['declare -a a', ['opaque']],
  ['declare $x', ['opaque']],
  ['read -r line', []],
  ['read PATH', ['opaque']],
  ['read -p x', ['opaque']],
  ['unset a', []],
  ['unset GIT_CONFIG_COUNT', ['switch the variable GIT_CONFIG_COUNT']],
  ['set -euo pipefail', []],
  ['readonly a=b', ['opaque']],
  ['declare -r a=b', ['opaque']],
  ['set -a', ['opaque']],
  ['set -o allexport', ['opaque']],
  ['ls', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(builtinEffects(programOf(line), argsOf(line)))).toEqual(effects)
})

test.each<[text: string, effects: readonly string[]]>([
  ['IFS=', []],
  ['IFS=,', []],
  ["IFS=$'\\n'", []],
  ['IFS="$OLDIFS"', []],
  ['IFS=$(x)', ['opaque']],
  ['NODE_ENV=test', []],
  ['NODE_OPTIONS=x', ['opaque']],
])('%s: %j', (text, effects) => {
  expect(shownEffects(assignmentEffects(text.split('=')[0] ?? '', { text }))).toEqual(effects)
})

test.each<[name: string, effects: readonly string[]]>([
  ['a', []],
  ['IFS', ['opaque']],
  ['PATH', ['opaque']],
  ['path', ['opaque']],
  ['HOME', ['opaque', 'settings']],
  ['LC_ALL', []],
  ['CI', []],
  ['KOTEF', ['switch the variable KOTEF']],
  ['GIT_CONFIG_COUNT', ['switch the variable GIT_CONFIG_COUNT']],
  ['GIT_DIR', ['opaque']],
  ['NODE_OPTIONS', ['opaque']],
  ['X', []],
  ['COLUMNS', ['opaque']],
  ['BASE_BRANCH', []],
  ['COUNT', []],
  ['BASE_PATH', ['opaque']],
  ['GOROOT', ['opaque']],
])('a value for %s: %j', (name, effects) => {
  expect(shownEffects(assignmentEffects(name))).toEqual(effects)
})
