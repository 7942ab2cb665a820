import { expect, test } from 'vitest'
import { nextDueAt, notice, restMsOf, type Settling, takeDue } from '../../../src/daemon/settle.ts'

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
