/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The same values in an order that nobody chose. */
export function shuffle<T>(values: readonly T[]): T[] {
  const keyed = values.map(value => ({ value, key: Math.random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(it => it.value)
}

/** What a set-up costs beside another one that was measured in the same rounds. */
export type Cost = { readonly ms: number; readonly ratio: number; readonly addedMs: number }

/** Each round is compared with itself, so that what else the machine did counts for both. */
export function costOf(times: readonly number[], bare: readonly number[]): Cost {
  return {
    ms: median(times),
    ratio: median(times.map((ms, round) => ms / (bare[round] ?? Number.NaN))),
    addedMs: median(times.map((ms, round) => ms - (bare[round] ?? Number.NaN))),
  }
}
