import { expect, test } from 'vitest'
import { numberBuiltinEffects, printfEffects } from '../../../../../src/core/agents/gate/shell/numbers.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['exit', []],
  ['exit 1', []],
  ['exit $?', []],
  ['exit "$?"', []],
  ['return ${#x}', []],
  ['shift $((1 + 1))', []],
  ['shift "$#"', []],
  ['exit "$x"', ['opaque']],
  ['break $x', ['opaque']],
  ['continue a', ['opaque']],
  ['exit $(cat f)', ['opaque']],
  ['exit $((1))$x', ['opaque']],
  ['ls', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(numberBuiltinEffects(programOf(line), argsOf(line)))).toEqual(effects)
})

test.each<[line: string, effects: readonly string[]]>([
  ['printf "%s\\n" "$x" $y', []],
  ['printf "%5s %b %q %%" "$x"', []],
  ['printf "%(%s)T"', []],
  ['printf "%d %s" 3 "$x"', []],
  ['printf "%5.2f%s" 3.1 "$x"', []],
  ['printf "%d" $?', []],
  ['printf "%d" "$x"', ['opaque']],
  ['printf "%s %d" a b c "$x"', ['opaque']],
  ['printf "%s %d" a 1 "$x"', []],
  ['printf "%s %d" $y 1', ['opaque']],
  ['printf "%*s" "$x" a', ['opaque']],
  ['printf \'%2$d\' 1 "$x"', ['opaque']],
  ['printf "x$f" "$x"', ['opaque']],
  ['printf -v a x', ['opaque']],
  ['printf "$f"', ['opaque']],
  ['printf "a$f"', []],
  ['printf "%d %d" 3 0x1f', []],
  ['printf %d "\'a"', []],
  ['printf "%5.1f%%" 3.14', []],
  ["printf '12%n' PATH", ['opaque']],
  ["printf '12%5n' PATH", ['opaque']],
  ["printf '%5$n' a b c d PATH", ['opaque']],
  ["printf '12%hn' PATH", ['opaque']],
  ["printf '12%lln' PATH", ['opaque']],
  ["printf '12\\u0025n' PATH", ['opaque']],
  ['printf %d PATH=5', ['opaque']],
  ["printf '%*s' PATH=5 a", ['opaque']],
  ['printf "%s %d" a PATH=5', ['opaque']],
])('%s: %j', (line, effects) => {
  expect(shownEffects(printfEffects(argsOf(line)))).toEqual(effects)
})
