import { expect, test, vi } from 'vitest'
import { isBelowAny } from '../../../src/shells/daemon/change-feed.ts'
import { coalesce, pauseMs, startReconcileTimer } from '../../../src/shells/daemon/reconcile-timer.ts'

test.each([
  [{ isDegraded: false, tookMs: 0 }, 60_000],
  [{ isDegraded: false, tookMs: 100 }, 60_000],
  [{ isDegraded: false, tookMs: 1_000 }, 600_000],
  [{ isDegraded: true, tookMs: 0 }, 2_000],
  [{ isDegraded: true, tookMs: 1_000 }, 10_000],
])('after %j git is left alone for %i ms', (state, ms) => {
  expect(pauseMs(state)).toBe(ms)
})

test('it compares once a minute, every two seconds in a hurry, at once when asked, never after the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let times = 0
  const rhythm = startReconcileTimer(async () => void times++)
  const after = async (ms: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(ms)
    return times
  }
  expect([await after(59_000), await after(1_000), await after(60_000)]).toEqual([0, 1, 2])
  rhythm.setDegraded(true)
  expect([await after(2_000), await after(2_000)]).toEqual([3, 4])
  rhythm.setDegraded(false)
  expect(await after(30_000)).toBe(4)
  rhythm.runNow()
  expect([await after(0), await after(59_000), await after(1_000)]).toEqual([5, 5, 6])
  rhythm[Symbol.dispose]()
  expect(await after(600_000)).toBe(6)
  vi.useRealTimers()
})

test('work is never done twice at a time, and once more when it was asked for meanwhile', async () => {
  const ends: (() => void)[] = []
  const asked = coalesce(() => new Promise(resolve => void ends.push(resolve)))
  const first = asked()
  const later = [asked(), asked(), asked()]
  expect(ends.length).toBe(1)
  ends[0]?.()
  await first
  await Promise.resolve()
  expect(ends.length).toBe(2)
  ends[1]?.()
  await Promise.all(later)
  void asked()
  expect(ends.length).toBe(3)
})

test('work that failed is done again when it is asked for', async () => {
  let times = 0
  const asked = coalesce(() => (times++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve()))
  const [first, second] = [asked(), asked()]
  await expect(first).rejects.toThrow('no')
  await second
  expect(times).toBe(2)
})

test.each([
  ['a/b/c.ts', true],
  ['a/b.ts', false],
  ['a/bc/d.ts', false],
  ['x/y/z/b.ts', true],
  ['a/b', false],
])('%s is in `a/b` or `x`: %s', (path, expected) => {
  expect(isBelowAny(path, new Set(['a/b', 'x']))).toBe(expected)
})
