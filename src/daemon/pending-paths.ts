import type { WriteSource } from '../ledger/event.ts'

/**
 * How it was found that a path may have changed, and when an event last told of it, in milliseconds since 1970; null
 * when none did, or it tells nothing that it came late.
 */
export type PendingPath = { readonly source: WriteSource; readonly eventAt: number | null }

/** How the paths that are waited for came to be. */
export class PendingPaths {
  readonly #byPath = new Map<string, PendingPath>()

  /** What an event tells of was not missed, even if it was found in another way as well. */
  addFromEvent(path: string, heardAt: number | null): void {
    const source = this.get(path).source
    this.#byPath.set(path, { source: source === 'reconcile' ? 'daemon' : source, eventAt: heardAt })
  }

  /** Somebody looked for it. Only that nobody watched is more than is known of a path that is waited for already. */
  addFromScan(path: string, source: WriteSource): void {
    if (source === 'catch-up' || !this.#byPath.has(path))
      this.#byPath.set(path, { source, eventAt: this.get(path).eventAt })
  }

  get(path: string): PendingPath {
    return this.#byPath.get(path) ?? FROM_INDEX
  }

  /** Hands over what is known of some paths, which are looked at now. */
  take(paths: Iterable<string>): ReadonlyMap<string, PendingPath> {
    const taken = new Map([...paths].map(path => [path, this.get(path)]))
    for (const path of taken.keys()) this.#byPath.delete(path)
    return taken
  }

  /** Takes back what could not be looked at; what was heard meanwhile is the later word. */
  putBack(taken: ReadonlyMap<string, PendingPath>, paths: Iterable<string>): void {
    for (const path of paths) {
      const { eventAt: heardAt } = this.get(path)
      this.#byPath.set(path, taken.get(path) ?? FROM_INDEX)
      if (heardAt !== null) this.addFromEvent(path, heardAt)
    }
  }
}

const FROM_INDEX: PendingPath = { source: 'daemon', eventAt: null }
