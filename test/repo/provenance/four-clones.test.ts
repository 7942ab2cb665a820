import { expect, test } from 'vitest'
import { pushAtOnce } from '../../rig/clones-at-once.ts'

// `npm run soak -- --clones 20` does it twenty times.
test('of four clones that commit and push at once, each commit has its note on the server (team S3, S4)', async () => {
  expect(await pushAtOnce({ rounds: 3 })).toEqual([])
})
