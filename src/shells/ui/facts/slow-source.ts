import { toKotefError } from '../../../core/base/failure.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'

/** Facts that take long to find, kept until what they depend on has changed. */
export type SlowSource<T> = {
  /**
   * The facts for a stamp, or as far as they are known when the wait is over. Work that was begun goes on. Without a
   * wait they are waited for.
   */
  ask(stamp: string, wait: Promise<unknown> | null): Promise<SlowFacts<T>>
}

/** How the facts for a stamp are found; `progress` is called with the share of the work that is done. */
type FindFacts<T> = (stamp: string, progress: (share: number) => void) => Promise<T>

/** Makes a source. One piece of work runs at a time: a newer state of the repository waits for the next question. */
export function slowSource<T>(find: FindFacts<T>): SlowSource<T> {
  let found: { readonly stamp: string; readonly value: T } | null = null
  let running: { readonly stamp: string; readonly work: Promise<void> } | null = null
  let failed: { readonly stamp: string; readonly why: string } | null = null
  let share = 0
  const begin = (stamp: string) => {
    share = 0
    const work = find(stamp, it => (share = it)).then(
      value => {
        ;[found, failed] = [{ stamp, value }, null]
      },
      (thrown: unknown) => {
        failed = { stamp, why: toKotefError(thrown).message }
      },
    )
    return { stamp, work: work.finally(() => (running = null)) }
  }
  return {
    async ask(stamp, wait) {
      const isSettled = () => found?.stamp === stamp || failed?.stamp === stamp
      while (!isSettled()) {
        running ??= begin(stamp)
        const over = await Promise.race([running.work.then(() => false), ...(wait ? [wait.then(() => true)] : [])])
        if (over) break
      }
      const isCurrent = found?.stamp === stamp
      const failure = failed?.stamp === stamp ? failed.why : null
      return { value: found?.value ?? null, isCurrent, share: isCurrent ? 1 : share, failure }
    },
  }
}
