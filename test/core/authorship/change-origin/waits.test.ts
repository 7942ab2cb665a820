import { expect, test } from 'vitest'
import { type UnsettledFacts, waitFor } from '../../../../src/core/authorship/change-origin/waits.ts'

test.each<[promise: string, facts: Partial<UnsettledFacts>, wait: string | null]>([
  ['nothing waits for git when git does nothing', {}, null],
  ['everything waits while git holds the index', { indexLockAgeMs: 0 }, 'index-locked'],
  ['a lock is waited for as long as a slow command takes', { indexLockAgeMs: 10_000 }, 'index-locked'],
  ['a lock that a killed git left behind is not waited for', { indexLockAgeMs: 600_000 }, null],
  ['everything waits between two steps', { isRebasing: true, indexMovedMsAgo: 10 }, 'rebase-between-steps'],
  ['a rebase that stopped is not waited for', { isRebasing: true, indexMovedMsAgo: 1_000 }, null],
  ['a lock goes before a rebase', { indexLockAgeMs: 0, isRebasing: true, indexMovedMsAgo: 0 }, 'index-locked'],
  ['a path waits for an index that is yet to be read', { indexIsNewer: true }, 'index-is-newer'],
  ['a file that is being written waits', { changedWhileRead: true }, 'changed-while-read'],
  ['what a patch staged waits for the commit', { status: 'staged', patchAgeMs: 500 }, 'patch-before-commit'],
  ['what a patch left unstaged does not', { status: 'dirty', patchAgeMs: 0 }, null],
  ['nor what a patch staged that stopped', { status: 'staged', patchAgeMs: 5_000 }, null],
])('%s', (_, facts, wait) => {
  expect(waitFor(facts)).toBe(wait)
})
