import { expect, test } from 'vitest'
import {
  type FileTimes,
  intervalsSince,
  isWrittenUnderLock,
  UNKNOWN_INTERVAL,
} from '../../../../src/core/authorship/change-origin/index-lock.ts'

const lock = { from: 1_000, to: 1_100, certain: true }
const at = (time: number): FileTimes => ({ modifiedAt: time, changedAt: time, eventAt: null })

test.each<[promise: string, file: FileTimes, isUnderLock: boolean]>([
  ['within a lock may be git’s', at(1_050), true],
  ['in the millisecond in which the lock went may be git’s', at(1_100.9), true],
  ['before a lock is not git’s', at(999), false],
  ['after a lock is not git’s', at(1_101), false],
  ['within a lock, in a millisecond, may be git’s', { ...at(1_050), modifiedAt: 1_049 }, true],
  ['within a lock, and moved there, is not git’s', { ...at(1_050), modifiedAt: 1_040 }, false],
  ['within a lock, and touched to another time, is not git’s', { ...at(1_050), modifiedAt: 9_000 }, false],
  ['before a lock, when its event was late, may be git’s', { ...at(900), eventAt: 1_300 }, true],
  ['before a lock, when its event was prompt, is not git’s', { ...at(900), eventAt: 940 }, false],
  ['after the last lock, however late its event, is not git’s', { ...at(1_200), eventAt: 9_000 }, false],
])('what was written %s', (_, file, isUnderLock) => {
  expect(isWrittenUnderLock(file, [lock])).toBe(isUnderLock)
})

test('while nobody watched, all may be git’s but what was moved', () => {
  expect(isWrittenUnderLock(at(0), [UNKNOWN_INTERVAL])).toBe(true)
  expect(isWrittenUnderLock({ ...at(0), modifiedAt: 50 }, [UNKNOWN_INTERVAL])).toBe(false)
})

test('a lock that was over a tick before is not over yet, by the clock of files', () => {
  expect([1_110, 1_150].map(it => intervalsSince([lock], it).length)).toEqual([1, 0])
})
