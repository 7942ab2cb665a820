import { expect, test } from 'vitest'
import { KotefError } from '../../../src/core/base/failure.ts'
import { type GovernedState, NOTHING_KNOWN } from '../../../src/shells/lsp/governed-state.ts'
import { steadyState } from '../../../src/shells/lsp/steady-state.ts'

const failed = (message: string): GovernedState => ({
  ...NOTHING_KNOWN,
  failure: new KotefError('registry-invalid', message),
})

const TEN = Array.from({ length: 10 }, (_, n) => failed(`problem ${n}`))
const [fine, empty, invalid] = [NOTHING_KNOWN, failed('is empty'), failed('has no end')]

test.each([
  { what: 'a state without a failure counts at once', before: fine, reads: [fine], pauses: 0 },
  { what: 'a failure that stands', before: fine, reads: [invalid, invalid], pauses: 1 },
  { what: 'a file that was empty while it was written', before: fine, reads: [empty, fine], pauses: 1 },
  { what: 'one that is invalid once it is written', before: fine, reads: [empty, invalid, invalid], pauses: 2 },
  { what: 'a failure that is known', before: invalid, reads: [invalid], pauses: 0 },
  { what: 'a repair that is read too early', before: invalid, reads: [empty, fine], pauses: 1 },
  { what: 'a file that fails otherwise each time', before: fine, reads: TEN, pauses: 9 },
])('$what', async ({ before, reads, pauses }) => {
  const left = [...reads]
  let paused = 0
  const read = () => Promise.resolve(left.shift() ?? failed('read once more'))
  const pause = () => Promise.resolve(void paused++)
  expect(await steadyState(read, before, pause)).toBe(reads.at(-1))
  expect([left.length, paused]).toEqual([0, pauses])
})
