import { expect, test } from 'vitest'
import { kotefEffects } from '../../../../src/gate/shell/kotef-program.ts'
import { argsOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['kotef status', []],
  ['kotef intent list', []],
  ['kotef intent add --name x', ['write .orchestration/active_intents.yaml']],
  ['kotef scope', []],
  ['kotef doctor', []],
  ['kotef doctor --fix', ['opaque']],
  ['kotef approve --list', []],
  ['kotef approve 3f', ['switch kotef approve']],
  ["kotef trace close --reason 'why'", ['switch kotef trace close']],
  ['kotef trace verify', []],
  ['kotef uninit', ['switch kotef uninit']],
  ['kotef watch --stop', ['switch stopping the daemon']],
  ['kotef session end', ['opaque']],
  ['kotef $x', ['opaque']],
  ['kotef', []],
])('%s: %j', (line, effects) => {
  expect(shownEffects(kotefEffects(argsOf(line)))).toEqual(effects)
})
