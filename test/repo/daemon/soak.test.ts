import { expect, test } from 'vitest'
import { soak } from '../../soak/soak.ts'

test.each([
  ['edits and kills', 3, /git/],
  ['edits and staging', 4, /SIG|git (?!add)/],
  ['edits, staging and kills', 5, /git (?!add)/],
])('after %s at random the ledger says what was done, and no more', async (_, seed, without) => {
  expect(await soak({ seed, without, more: round => round < 2 })).toBeNull()
})
