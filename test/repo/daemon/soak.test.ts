import { expect, test } from 'vitest'
import { runSoak } from '../../soak/soak.ts'

test.each([
  ['edits and kills', 3, /git/],
  ['edits and staging', 4, /SIG|git (?!add)/],
  ['edits, staging and kills', 5, /git (?!add)/],
])('after %s at random the ledger says what was done, and no more', async (_, seed, without) => {
  expect(await runSoak({ seed, without, more: round => round < 2 })).toBeNull()
})
