import type { WriteSource } from '../../core/ledger/event.ts'

/**
 * How a possible change of a path was found, and the time of its last event in milliseconds since 1970; null without an
 * event, and for an event by polling, whose time says nothing.
 */
export type PendingPath = { readonly source: WriteSource; readonly eventAt: number | null }

/** The paths that wait to be inspected, each with how its change was found. */
export class PendingPaths {
  readonly #byPath = new Map<string, PendingPath>()

  /** A path with an event was not missed, even when a scan has found it as well. */
  addFromEvent(path: string, eventAt: number | null): void {
    const source = this.get(path).source
    this.#byPath.set(path, { source: source === 'reconcile' ? 'daemon' : source, eventAt })
  }

  /** A path that a scan found. For a path that waits already, only `catch-up` replaces its source. */
  addFromScan(path: string, source: WriteSource): void {
    if (source === 'catch-up' || !this.#byPath.has(path))
      this.#byPath.set(path, { source, eventAt: this.get(path).eventAt })
  }

  get(path: string): PendingPath {
    return this.#byPath.get(path) ?? FROM_INDEX
  }

  /** Takes out some paths, which are inspected now. */
  take(paths: Iterable<string>): ReadonlyMap<string, PendingPath> {
    const taken = new Map([...paths].map(path => [path, this.get(path)]))
    for (const path of taken.keys()) this.#byPath.delete(path)
    return taken
  }

  /** Puts back paths that could not be inspected. The time of an event that came meanwhile is kept. */
  putBack(taken: ReadonlyMap<string, PendingPath>, paths: Iterable<string>): void {
    for (const path of paths) {
      const { eventAt } = this.get(path)
      this.#byPath.set(path, taken.get(path) ?? FROM_INDEX)
      if (eventAt !== null) this.addFromEvent(path, eventAt)
    }
  }
}

const FROM_INDEX: PendingPath = { source: 'daemon', eventAt: null }
