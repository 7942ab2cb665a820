import { describe, expect, test } from 'vitest'
import {
  nextDueAt,
  notice,
  putBack,
  restMsOf,
  restOf,
  restOfGone,
  type Settling,
  startOver,
  takeDue,
} from '../../../src/shells/daemon/settle.ts'

const patience = { quietMs: 20, waitMsMax: 100 }

/** What is due at the end, when a path is noticed at some times. */
function dueAfter(times: readonly number[], now: number): string[] {
  const settling: Settling = new Map()
  for (const at of times) notice(settling, 'f', at)
  return takeDue(settling, now, patience).map(([path]) => path)
}

test.each([
  ['not before it has rested', [0], 19, []],
  ['when it has rested', [0], 20, ['f']],
  ['each write starts the rest anew', [0, 15, 30], 49, []],
  ['once, however often it was written', [0, 15, 30], 50, ['f']],
  ['a file that never rests is due at last', [0, 15, 30, 45, 60, 75, 90], 100, ['f']],
])('%s', (_, times, now, due) => {
  expect(dueAfter(times, now)).toEqual(due)
})

test('what was taken out is not due again', () => {
  const settling: Settling = new Map()
  notice(settling, 'f', 0)
  takeDue(settling, 20, patience)
  expect([takeDue(settling, 1_000, patience), nextDueAt(settling, patience)]).toEqual([[], null])
})

test('the next moment is that of the path that waits least', () => {
  const settling: Settling = new Map()
  expect(nextDueAt(settling, patience)).toBeNull()
  notice(settling, 'a', 10)
  notice(settling, 'b', 5)
  expect(nextDueAt(settling, patience)).toBe(25)
})

test('empty and large files must rest longer', () => {
  expect([1, 262_144].map(it => restMsOf(it, 20))).toEqual([20, 20])
  expect(restMsOf(0, 20)).toBe(60)
  expect(restMsOf(2_097_152, 20)).toBe(100)
  expect(restMsOf(1e12, 20)).toBe(500)
})

test('a path that is put back keeps what was noticed meanwhile, and waits no longer in all', () => {
  const settling: Settling = new Map()
  putBack(settling, 'f', { firstAt: 0, lastAt: 30, restMs: 60 })
  expect(nextDueAt(settling, patience)).toBe(90)
  notice(settling, 'g', 40)
  putBack(settling, 'g', { firstAt: 10, lastAt: 10, restMs: 0 })
  expect(settling.get('g')).toEqual({ firstAt: 10, lastAt: 40, restMs: 0 })
})

test('what starts over waits as if nothing had been noticed before', () => {
  const settling: Settling = new Map()
  notice(settling, 'f', 0)
  startOver(settling, 500)
  expect([takeDue(settling, 519, patience).length, takeDue(settling, 520, patience).length]).toEqual([0, 1])
})

describe('of a writer, what is read is', () => {
  const LARGE = 'x'.repeat(2_097_152)
  const cases: readonly [what: string, writes: readonly Step[], read: readonly (string | null)[]][] = [
    ['one content, when it writes at once', [[0, 'whole']], ['whole']],
    ['the last content, when it writes many times', Array.from({ length: 9 }, (_, n): Step => [n * 9, `${n}`]), ['8']],
    [
      'the whole, when it writes in two chunks',
      [
        [0, 'one'],
        [19, 'one two'],
      ],
      ['one two'],
    ],
    [
      'never the empty file, when it truncates first',
      [
        [0, ''],
        [59, 'whole'],
      ],
      ['whole'],
    ],
    [
      'never half a large file, when its chunks come slowly',
      [
        [0, ''],
        [40, LARGE],
        [99, `${LARGE}end`],
      ],
      [`${LARGE}end`],
    ],
    [
      'the new file, when it is put in the place of the old one',
      [
        [0, null],
        [1, 'new'],
      ],
      ['new'],
    ],
    [
      'nothing, when the file is gone before',
      [
        [0, 'here'],
        [10, null],
      ],
      [null],
    ],
    [
      'each content that rested, when it is slow',
      [
        [0, 'a'],
        [30, 'ab'],
        [60, 'abc'],
      ],
      ['a', 'ab', 'abc'],
    ],
    [
      'what there is after the longest wait, when it never rests',
      Array.from({ length: 16 }, (_, n): Step => [n * 10, `${n}`]),
      ['10', '15'],
    ],
    ['the empty file, when nothing follows', [[0, '']], ['']],
  ]

  test.each(cases)('%s', (_, writes, read) => {
    expect(readOf(writes, () => 0)).toEqual(read)
  })

  test.each(cases)('%s, also with a stamp from the future', (_, writes, read) => {
    expect(readOf(writes, () => -3_600_000)).toEqual(read)
  })
})

/** At a time, a file's content becomes this; null removes it. */
type Step = readonly [at: number, content: string | null]

/** What a reader that follows the machine, millisecond by millisecond, reads of one file. */
function readOf(writes: readonly Step[], skewMs: () => number): (string | null)[] {
  const settling: Settling = new Map()
  const read: (string | null)[] = []
  let file: { content: string; at: number } | null = null
  for (let now = 0; now < 1_000; now++) {
    for (const [at, content] of writes) {
      if (at !== now) continue
      file = content === null ? null : { content, at }
      notice(settling, 'f', now)
    }
    for (const [path, waiting] of takeDue(settling, now, patience)) {
      const look = file && { bytes: file.content.length, ageMs: skewMs() || now - file.at }
      const rest = look && restOf(waiting, look, { now, patience })
      if (rest) putBack(settling, path, rest)
      else read.push(file?.content ?? null)
    }
  }
  return read
}

test.each([
  ['nothing stands there and git is at rest', { now: 400, gitMovedAt: 100 }, 0, null],
  ['git has just moved', { now: 40, gitMovedAt: 30 }, 0, { firstAt: 0, lastAt: 30, restMs: 300 }],
  ['git never rests', { now: 100, gitMovedAt: 99 }, 0, null],
])('what is gone waits for git: %s', (_, times, firstAt, rest) => {
  expect(restOfGone({ firstAt, lastAt: firstAt, restMs: 0 }, { ...times, patience })).toEqual(rest)
})

test('a batch takes 20,000 paths at most, the first ones first, and the others stay', () => {
  const settling: Settling = new Map()
  for (let n = 0; n < 45_000; n++) notice(settling, `f${n}`, 0)
  const batches = Array.from({ length: 3 }, () => takeDue(settling, 20, patience).map(([path]) => path))
  expect(batches.map(it => it.length)).toEqual([20_000, 20_000, 5_000])
  expect([batches[0]?.[0], batches[2]?.at(-1), nextDueAt(settling, patience)]).toEqual(['f0', 'f44999', null])
})
