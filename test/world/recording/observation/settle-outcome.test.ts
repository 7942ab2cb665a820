import { describe, expect, test } from 'vitest'
import { GitIndex } from '../../../../src/core/git/index-entries.ts'
import {
  emptyState,
  knownContent,
  setPath,
  untracedPaths,
  type WorktreeState,
} from '../../../../src/world/recording/observation/worktree-state.ts'
import { type Outcome, settleOutcome } from '../../../../src/world/recording/observation/settle-outcome.ts'

const oid = (letter: string): string => letter.repeat(40)
const content = (letter: string) => ({ oid: oid(letter), mode: '100644' })
const LOOK = { at: 5, log: 7 }

/** A worktree in which git has the content `i` of the path, or nothing. */
function stateWith({ isIndexed = true } = {}): WorktreeState {
  const state = emptyState()
  if (isIndexed) state.index = new GitIndex(Buffer.from(`H 100644 ${oid('i')} 0\tp\0`))
  return state
}

function outcome(replaced: Partial<Outcome>): Outcome {
  const file = { signature: 's' }
  return { path: 'p', content: content('n'), file, observedAt: LOOK, git: undefined, origin: 'recorded', ...replaced }
}

const GIT = [undefined, 'staged', 'dirty', 'untracked'] as const

describe.each(['recorded', 'git', 'unchanged'] as const)('an outcome that is %s', origin => {
  test.each(GIT)('makes the path known as it is now, where git says %s', git => {
    const state = stateWith()
    setPath(state, 'p', { content: content('o'), signature: null, traced: true, at: 1 })
    settleOutcome(state, outcome({ origin, git }))
    expect(knownContent(state, 'p')).toEqual(content('n'))
    expect(state.paths.get('p')).toMatchObject({ signature: 's', at: 5, traced: true })
    expect(state.epoch.inspectedAt('p')).toEqual(LOOK)
    expect(state.epoch.hasSeen('p', oid('o'))).toBe(true)
  })

  test(`leaves a path whose content no record has ${origin === 'unchanged' ? 'as unknown as before' : 'known'}`, () => {
    const state = stateWith()
    setPath(state, 'p', { content: content('n'), signature: null, traced: false, at: 1 })
    settleOutcome(state, outcome({ origin }))
    expect(untracedPaths(state)).toEqual(origin === 'unchanged' ? ['p'] : [])
  })
})

test('an ignored path is not known, whatever is on disk', () => {
  const state = stateWith()
  settleOutcome(state, outcome({ origin: 'ignored' }))
  expect([knownContent(state, 'p'), state.epoch.inspectedAt('p')]).toEqual([content('i'), { at: 0, log: 0 }])
})

test.each([
  ['recorded', undefined, true],
  ['recorded', 'staged', true],
  ['git', 'staged', false],
  ['unchanged', undefined, true],
  ['unchanged', 'staged', true],
  ['unchanged', 'dirty', false],
] as const)(
  'the staged content of a path that is %s counts as seen there, where git says %s: %s',
  (origin, git, seen) => {
    const state = stateWith()
    settleOutcome(state, outcome({ origin, git }))
    expect(state.epoch.hasSeen('p', oid('i'))).toBe(seen)
  },
)

test.each([
  ['recorded', undefined, true],
  ['git', undefined, false],
  ['git', 'staged', true],
  ['unchanged', 'dirty', true],
  ['ignored', 'dirty', true],
  ['ignored', 'untracked', false],
] as const)(
  'what is staged of a path that is %s is kept for the next daemon, where git says %s: %s',
  (origin, git, is) => {
    const state = stateWith()
    settleOutcome(state, outcome({ origin, git }))
    expect(state.staged.has('p')).toBe(is)
  },
)

test('a deletion is a content too', () => {
  const state = stateWith({ isIndexed: false })
  setPath(state, 'p', { content: content('o'), signature: null, traced: false, at: 1 })
  settleOutcome(state, outcome({ content: null, file: null }))
  expect([knownContent(state, 'p'), untracedPaths(state)]).toEqual([null, []])
  expect(state.epoch.hasSeen('p', null)).toBe(true)
})
