/** Facts that take long to find, as far as they are known. */
export type SlowFacts<T> = {
  /** The latest that were found; null before the first ones are there. */
  readonly value: T | null
  /** True when they are of the repository as it is. */
  readonly isCurrent: boolean
  /** The share of the work that is done, from 0 to 1, while newer ones are being found. */
  readonly share: number
  /** Why they could not be found; else null. */
  readonly failure: string | null
}
