import { expect, test } from 'vitest'
import {
  broughtByGit,
  committedOver,
  firstSource,
  lastRemover,
  lastSource,
  type PathEvent,
  type OriginTimeline,
  type PathMerge,
} from '../../../../src/core/authorship/change-origin/timeline.ts'

type Step = readonly [by: PathEvent['by'], to: string | null, committedAt?: number]

/** What happened at a path that held `from` at first, in steps of moves of HEAD. */
function historyOf(from: string | null, steps: readonly Step[], merges: readonly PathMerge[] = []): OriginTimeline {
  const moves = steps.map(([by, to, committedAt = null], n) => {
    const before = n === 0 ? from : (steps[n - 1]?.[1] ?? null)
    return { by, from: before, to, committedAt }
  })
  return { moves, merges, isLogged: true }
}

/** A merge that made `X` while git held the lock from 950 to 1000. */
const born = { blobMadeAt: 980, blobBornAt: 980, blobIsOlder: false }
const merge: PathMerge = { to: 'X', at: 1_000, lockedAt: 950, treeMadeAt: 980, ...born }

test.each<[promise: string, history: OriginTimeline, source: string]>([
  ['nothing, where nothing happened', historyOf(null, []), 'nothing'],
  ['nothing, where another content came', historyOf(null, [['git', 'Y']]), 'nothing'],
  ['a switch', historyOf(null, [['git', 'X']]), 'git'],
  ['a reset', historyOf(null, [['reset', 'X']]), 'git'],
  ['a plain commit', historyOf(null, [['commit', 'X']]), 'commit'],
  ['the end of a merge', historyOf(null, [['either', 'X']]), 'either'],
  [
    'a plain commit, before git went away and came back',
    historyOf(null, [
      ['commit', 'X'],
      ['git', null],
      ['git', 'X'],
    ]),
    'commit',
  ],
  [
    'git, where HEAD had it at first, even if a plain commit brought it back',
    historyOf('X', [
      ['reset', null],
      ['commit', 'X'],
    ]),
    'git',
  ],
  ['a merge', historyOf(null, [], [merge]), 'git'],
  ['a merge that was then committed', historyOf(null, [['commit', 'X', 1_100]], [merge]), 'git'],
  ['not a merge that found the commit', historyOf(null, [['commit', 'X', 900]], [merge]), 'commit'],
  ['not a merge that found the packed commit', historyOf(null, [['commit', 'X']], [merge]), 'commit'],
  ['not a merge that found the blob', historyOf(null, [], [{ ...merge, blobMadeAt: 900 }]), 'nothing'],
  [
    'not a merge that nobody watched, and that found what a stash had put away',
    historyOf(null, [], [{ ...merge, lockedAt: null, blobIsOlder: true }]),
    'nothing',
  ],
  [
    'a merge that made once more what an earlier one had made',
    historyOf(null, [], [{ ...merge, blobIsOlder: true }]),
    'git',
  ],
  ['not a merge that made no tree', historyOf(null, [], [{ ...merge, treeMadeAt: 900 }]), 'nothing'],
  ['either, where HEAD has no log', { ...historyOf(null, []), isLogged: false }, 'either'],
])('a path first got a content by %s', (_, history, source) => {
  expect(firstSource(history, 'X')).toBe(source)
})

test('a merge did not make what a stash had before', () => {
  const history = historyOf(null, [], [merge])
  expect([1_000, 1_001].map(stashedAt => firstSource(history, 'X', { stashedAt }))).toEqual(['nothing', 'git'])
})

test('a merge did not make what git took up from the file: its blob is younger', () => {
  const history = historyOf(null, [], [merge])
  expect([979, 980].map(writtenAt => firstSource(history, 'X', { writtenAt }))).toEqual(['nothing', 'git'])
})

test('where no lock was seen, a merge made what is as young as merges and checkouts take', () => {
  const made = (blobMadeAt: number, treeMadeAt: number) =>
    firstSource(historyOf(null, [], [{ ...merge, lockedAt: null, blobMadeAt, treeMadeAt }]), 'X')
  expect([made(980, 995), made(900, 995), made(980, 950)]).toEqual(['git', 'nothing', 'nothing'])
})

test.each<[promise: string, history: OriginTimeline, source: string]>([
  [
    'the newest move that has it',
    historyOf(null, [
      ['commit', 'X', 600],
      ['git', null],
      ['git', 'X'],
    ]),
    'git',
  ],
  ['a plain commit of the file as it is', historyOf(null, [['commit', 'X', 600]]), 'commit'],
  ['a plain commit of which nobody knows the time', historyOf(null, [['commit', 'X']]), 'commit'],
  ['no commit from before the file was modified', historyOf(null, [['commit', 'X', 400]]), 'nothing'],
  ['a merge, whatever it found', historyOf(null, [['commit', 'X', 600]], [{ ...merge, blobMadeAt: 0 }]), 'git'],
])('a path last got a content by %s', (_, history, source) => {
  expect(lastSource(history, 'X', 500)).toBe(source)
})

test.each<[promise: string, history: OriginTimeline, resets: boolean, source: string]>([
  ['a switch', historyOf('X', [['git', null]]), false, 'git'],
  ['a plain commit', historyOf('X', [['commit', null]]), false, 'commit'],
  [
    'nothing, where it was brought back since',
    historyOf('X', [
      ['git', null],
      ['git', 'X'],
    ]),
    false,
    'nothing',
  ],
  ['a reset, where it is known that resets do', historyOf('X', [['reset', null]]), true, 'git'],
  ['no reset, which may have left the file', historyOf('X', [['reset', null]]), false, 'nothing'],
  [
    'a reset, if another one brought it back',
    historyOf('X', [
      ['reset', null],
      ['reset', 'X'],
    ]),
    false,
    'git',
  ],
  [
    'the move before a reset that left the file',
    historyOf('X', [
      ['git', null],
      ['reset', null],
    ]),
    false,
    'git',
  ],
  ['a merge', historyOf('X', [], [{ ...merge, to: null }]), false, 'git'],
  [
    'not a merge that found the commit',
    historyOf('X', [['commit', null, 900]], [{ ...merge, to: null }]),
    false,
    'commit',
  ],
])('a file was last removed by %s', (_, history, resets, source) => {
  expect(lastRemover(history, { resets })).toBe(source)
})

test.each<[promise: string, steps: readonly Step[], content: string | null]>([
  [
    'the last of git’s',
    [
      ['git', 'X'],
      ['git', 'Y'],
    ],
    'Y',
  ],
  [
    'but not what git brought after somebody’s commit',
    [
      ['git', 'X'],
      ['commit', 'Y'],
      ['git', 'Z'],
    ],
    'X',
  ],
  [
    'and nothing, if somebody committed first',
    [
      ['commit', 'X'],
      ['git', 'Y'],
    ],
    null,
  ],
])('what moves of HEAD brought is %s', (_, steps, content) => {
  expect(broughtByGit(historyOf(null, steps).moves)).toBe(content)
})

const LEFT: readonly Step[] = [
  ['commit', 'X'],
  ['git', 'P'],
]
const BACK: readonly Step[] = [...LEFT, ['git', 'X']]

test.each<[what: string, history: OriginTimeline, stepsSince: number, over: string | null | undefined]>([
  ['what a commit was made over, when a rebase brings it back', historyOf('P', BACK), 1, 'P'],
  ['that, while the rebase has not moved HEAD yet', historyOf('P', LEFT), 0, 'P'],
  ['no file, where the commit brought one', historyOf(null, BACK), 1, null],
  ['nothing known, where the commit was made since the last look', historyOf('P', LEFT), 2, undefined],
  ['nothing known, where git had the content first', historyOf('P', [['git', 'X'], ...BACK]), 1, undefined],
  ['nothing known, where HEAD had it at first', historyOf('X', [['git', 'P'], ...BACK]), 1, undefined],
  ['nothing known, where nobody committed it', historyOf('P', [['commit', 'Y']]), 0, undefined],
])('a content replaced %s', (_, { moves }, stepsSince, over) => {
  expect(committedOver(moves, moves.slice(moves.length - stepsSince), 'X')).toBe(over)
})
