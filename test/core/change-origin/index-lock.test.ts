import { expect, test } from 'vitest'
import {
  type FileTimes,
  intervalsSince,
  isWrittenUnderLock,
  UNKNOWN_INTERVAL,
} from '../../../src/change-origin/index-lock.ts'
import { FILE_CLOCK_TICK_MS, ONE_WRITE_MS, PROMPT_EVENT_MS } from '../../../src/change-origin/thresholds.ts'

const lock = { from: 1_000, to: 1_100, certain: true }
const at = (time: number): FileTimes => ({ modifiedAt: time, changedAt: time, eventAt: null })

test.each<[promise: string, file: FileTimes, isUnderLock: boolean]>([
  ['within a lock may be git’s', at(1_050), true],
  ['in the millisecond in which the lock went may be git’s', at(1_100.9), true],
  ['before a lock is not git’s', at(999), false],
  ['after a lock is not git’s', at(1_101), false],
  ['within a lock, and moved there, is not git’s', { ...at(1_050), modifiedAt: 1_050 - ONE_WRITE_MS }, false],
  ['within a lock, and touched to another time, is not git’s', { ...at(1_050), modifiedAt: 9_000 }, false],
  ['before a lock, when its event was late, may be git’s', { ...at(900), eventAt: 901 + PROMPT_EVENT_MS }, true],
  ['before a lock, when its event was prompt, is not git’s', { ...at(900), eventAt: 900 + PROMPT_EVENT_MS }, false],
  ['after the last lock, however late its event, is not git’s', { ...at(1_200), eventAt: 9_000 }, false],
])('what was written %s', (_, file, isUnderLock) => {
  expect(isWrittenUnderLock(file, [lock])).toBe(isUnderLock)
})

test('while nobody watched, all may be git’s but what was moved', () => {
  expect(isWrittenUnderLock(at(0), [UNKNOWN_INTERVAL])).toBe(true)
  expect(isWrittenUnderLock({ ...at(0), modifiedAt: 50 }, [UNKNOWN_INTERVAL])).toBe(false)
})

test('a lock that was over a tick before is not over yet, by the clock of files', () => {
  const tick = 1_100 + FILE_CLOCK_TICK_MS
  expect([tick, tick + 1].map(it => intervalsSince([lock], it).length)).toEqual([1, 0])
})
