import { expect, test } from 'vitest'
import { isBelow } from '../../../src/daemon/missing-below.ts'
import { oneAtATime, pauseMs } from '../../../src/daemon/rhythm.ts'

test.each([
  [{ hurried: false, tookMs: 0 }, 60_000],
  [{ hurried: false, tookMs: 100 }, 60_000],
  [{ hurried: false, tookMs: 1_000 }, 300_000],
  [{ hurried: true, tookMs: 0 }, 2_000],
  [{ hurried: true, tookMs: 1_000 }, 10_000],
])('after %j git is left alone for %i ms', (state, ms) => {
  expect(pauseMs(state)).toBe(ms)
})

test('work is never done twice at a time, and once more when it was asked for meanwhile', async () => {
  const ends: (() => void)[] = []
  const asked = oneAtATime(() => new Promise(resolve => void ends.push(resolve)))
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
  const asked = oneAtATime(() => (times++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve()))
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
  expect(isBelow(path, new Set(['a/b', 'x']))).toBe(expected)
})
