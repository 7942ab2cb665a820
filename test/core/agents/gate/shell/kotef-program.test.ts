import { expect, test } from 'vitest'
import { kotefEffects } from '../../../../../src/core/agents/gate/shell/kotef-program.ts'
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
  ['kotef attest INT-001', ['switch kotef attest']],
  ['kotef mine src/a.ts', ['switch kotef mine']],
  ["kotef trace close --reason 'why'", ['switch kotef trace close']],
  ['kotef trace verify', []],
  ['kotef export otlp --endpoint http://a', ['opaque']],
  ['kotef uninit', ['switch kotef uninit']],
  ['kotef watch --stop', ['switch stopping the daemon']],
  ['kotef session end', ['switch kotef session end']],
  ['kotef session list', []],
  ['kotef intent start INT-001', ['switch kotef intent start']],
  ['kotef intent complete INT-001 --attest', ['switch kotef intent complete']],
  ['kotef intent abandon INT-001', ['switch kotef intent abandon']],
  ['kotef intent block INT-001', ['switch kotef intent block']],
  ['kotef intent reopen INT-001', ['switch kotef intent reopen']],
  ['kotef agent-hook claude', ['switch kotef agent-hook']],
  ['kotef mcp', ['switch kotef mcp']],
  ['kotef lsp', ['switch kotef lsp']],
  ['kotef select INT-001', ['opaque']],
  ['kotef $x', ['opaque']],
  ['kotef', []],
])('%s: %j', (line, effects) => {
  expect(shownEffects(kotefEffects(argsOf(line)))).toEqual(effects)
})
