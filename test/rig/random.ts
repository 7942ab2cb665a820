/** Chance that can be had again: the same seed gives the same choices. */
export type Random = {
  /** A whole number from 0 up, smaller than `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

/** Numbers from a seed (a 32-bit mix, in the manner of splitmix). */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    const a = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    const b = Math.imul(a ^ (a >>> 15), 0x735a2d97)
    return ((b ^ (b >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <T>(items: readonly T[]): T => {
    const [item] = items.slice(below(items.length))
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }
  return { below, pick }
}
