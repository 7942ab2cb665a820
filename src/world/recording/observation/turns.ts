import { setImmediate as nextTurn } from 'node:timers/promises'
import { partsOf } from '../../../core/base/grouping.ts'

// Work on many items is cut into turns of the event loop, so that a daemon answers in between whatever happens.

/**
 * The parts of a long list, each in a turn of the event loop of its own, so that a daemon answers in between. Work on a
 * part of this size takes a few milliseconds when an item takes microseconds.
 */
export async function* inTurns<T>(items: Iterable<T>, size = ITEMS_PER_TURN): AsyncGenerator<T[], void> {
  let part: T[] = []
  for (const item of items) {
    if (part.length === size) {
      yield part
      part = []
      await nextTurn()
    }
    part.push(item)
  }
  if (part.length > 0) yield part
}

const ITEMS_PER_TURN = 2_000

/** As `Promise.all` of `map`, with some items at a time: each waits for the disk. */
export async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  // Items that need no disk leave no turn to others.
  for await (const parts of inTurns(partsOf(items, ITEMS_AT_A_TIME), PARTS_PER_TURN))
    for (const part of parts) for (const it of await Promise.all(part.map(work))) results.push(it)
  return results
}

const ITEMS_AT_A_TIME = 32
const PARTS_PER_TURN = Math.floor(ITEMS_PER_TURN / ITEMS_AT_A_TIME)

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
  let n = 0
  let m = 0
  while (n < one.length || m < other.length) {
    if (all.length % ITEMS_PER_TURN === 0) await nextTurn()
    const left = one[n]
    const right = other[m]
    const isLeft = right === undefined || (left !== undefined && keyOf(left) <= keyOf(right))
    all.push((isLeft ? one[n++] : other[m++]) as T)
  }
  return all
}

/**
 * As `JSON.stringify` of an object, in pieces that take a turn each. The object's members may be maps, which become
 * objects, and lists; what these contain is short.
 */
export async function* jsonInTurns(value: unknown): AsyncGenerator<string, void> {
  if (value instanceof Map) return yield* enclosed('{}', value, ([key, it]) => member(key, JSON.stringify(it)))
  if (Array.isArray(value)) return yield* enclosed('[]', value, it => JSON.stringify(it))
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value)
  let lead = '{'
  for (const [key, it] of Object.entries(value)) {
    if (it === undefined) continue
    yield lead + member(key, '')
    yield* jsonInTurns(it)
    lead = ','
  }
  yield lead === '{' ? '{}' : '}'
}

const member = (key: unknown, text: string): string => `${JSON.stringify(key)}:${text}`

async function* enclosed<T>(
  [open = '', close = '']: string,
  items: Iterable<T>,
  textOf: (item: T) => string,
): AsyncGenerator<string, void> {
  let lead = open
  for await (const part of inTurns(items)) {
    yield lead + part.map(textOf).join(',')
    lead = ','
  }
  yield lead === open ? open + close : close
}
