import { expect, test } from 'vitest'
import type { Contributor } from '../../../src/core/ledger/record.ts'
import { authorWords } from '../../../src/core/report/author-words.ts'

const BY = { name: 'Ada', at: 0 }
const words = (contributor: Contributor, by: typeof BY | null = BY) =>
  authorWords({ author: { contributor, session: null, intent: null, attribution: 'declared' }, by })

test('a recorded author is named with how that is known', () => {
  expect(words({ type: 'ai', model_id: 'maker/robot' })).toBe('ai maker/robot (declared)')
  expect(words({ type: 'human' })).toBe('human (declared)')
})

test('where nobody was recorded, git’s author is a guess, and said to be one (look B8)', () => {
  expect(words({ type: 'unknown' })).toBe('Ada? (author of the commit; nobody was recorded for this line)')
  expect(words({ type: 'unknown' }, null)).toBe('unknown')
})
