import { expect, test } from 'vitest'
import { pushAtOnce } from '../../rig/clones-at-once.ts'

// In the second round the server has notes already. Twenty rounds are those
// of `npm run soak -- --clones 20`.
test('of four clones that commit and push at once, each commit has its note on the server (team S3, S4)', async () => {
  expect(await pushAtOnce({ rounds: 2 })).toEqual([])
})
