import { expect, test } from 'vitest'
import * as thresholds from '../../../src/core/base/thresholds.ts'

test('every threshold is a whole number of milliseconds above 0', () => {
  for (const [name, value] of Object.entries(thresholds)) expect(Number.isInteger(value) && value > 0, name).toBe(true)
})

test.each<[string, number]>([
  ['a late event', thresholds.LATE_EVENT_MS_MAX],
  ['the step from one commit of a rebase to the next', thresholds.REBASE_STEP_MS],
  ['a patch that becomes a commit', thresholds.PATCH_TO_COMMIT_MS],
  ['a stash that removes files', thresholds.STASH_TO_REMOVAL_MS],
  ['a missing file that is judged', thresholds.REMOVAL_QUIET_MS],
])('an epoch does not end before %s', (_, ms) => {
  expect(ms).toBeLessThan(thresholds.EPOCH_QUIET_MS)
})

test('an event is prompt long before it counts as late, and late long before a lock counts as left behind', () => {
  expect(thresholds.PROMPT_EVENT_MS).toBeLessThan(thresholds.LATE_EVENT_MS_MAX)
  expect(thresholds.LATE_EVENT_MS_MAX).toBeLessThan(thresholds.STALE_LOCK_MS)
})
