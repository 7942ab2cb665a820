import { setImmediate as nextTurn } from 'node:timers/promises'
import { partsOf } from './grouping.ts'

// Work on many items is cut into turns of the event loop, so that a daemon answers in between whatever happens.

/**
 * The parts of a long list, each in a turn of the event loop of its own, so that a daemon answers in between. Work on a
 * part of this size takes a few milliseconds when an item takes microseconds.
 */
export async function* inTurns<T>(items: readonly T[], size = ITEMS_PER_TURN): AsyncGenerator<T[], void> {
  for (let n = 0; n < items.length; n += size) {
    if (n > 0) await nextTurn()
    yield items.slice(n, n + size)
  }
}

const ITEMS_PER_TURN = 2_000

/** As `Promise.all` of `map`, with some items at a time: each waits for the disk. */
export async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const part of partsOf(items, ITEMS_AT_A_TIME))
    for (const it of await Promise.all(part.map(work))) results.push(it)
  return results
}

const ITEMS_AT_A_TIME = 32

/** Sorts a long list by a number, in several turns. Items with equal numbers keep their order. */
export async function sortedInTurns<T>(items: readonly T[], keyOf: (item: T) => number): Promise<T[]> {
  let runs: T[][] = []
  for await (const part of inTurns(items)) runs.push(part.sort((one, other) => keyOf(one) - keyOf(other)))
  while (runs.length > 1) {
    const pairs = partsOf(runs, 2)
    runs = []
    for (const [one = [], other = []] of pairs) runs.push(await merged(one, other, keyOf))
  }
  return runs[0] ?? []
}

async function merged<T>(one: readonly T[], other: readonly T[], keyOf: (item: T) => number): Promise<T[]> {
  const all: T[] = []
  let [n, m] = [0, 0]
  while (n < one.length || m < other.length) {
    if (all.length % ITEMS_PER_TURN === 0) await nextTurn()
    const [left, right] = [one[n], other[m]]
    const isLeft = right === undefined || (left !== undefined && keyOf(left) <= keyOf(right))
    all.push((isLeft ? one[n++] : other[m++]) as T)
  }
  return all
}

/** As `JSON.stringify` of an object, in several turns: a member may be a long list, or a map with many entries. */
export async function jsonInTurns(value: Readonly<Record<string, unknown>>, depth = DEPTH_MAX): Promise<string> {
  const members: string[] = []
  for await (const part of inTurns(Object.entries(value)))
    for (const [key, it] of part)
      if (it !== undefined) members.push(`${JSON.stringify(key)}:${await memberText(it, depth)}`)
  return `{${members.join(',')}}`
}

// Deeper than this nothing is long.
const DEPTH_MAX = 3

async function memberText(value: unknown, depth: number): Promise<string> {
  if (depth === 1 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (!Array.isArray(value)) return jsonInTurns(value as Readonly<Record<string, unknown>>, depth - 1)
  const items: string[] = []
  for await (const part of inTurns(value)) items.push(...part.map(it => JSON.stringify(it)))
  return `[${items.join(',')}]`
}
