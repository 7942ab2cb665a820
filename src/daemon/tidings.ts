import type { Source } from '../ledger/event.ts'

/**
 * How it was found that a path may have changed, and when an event last told of it, in milliseconds since 1970; null
 * when none did, or it tells nothing that it came late.
 */
export type Tiding = { readonly source: Source; readonly heardAt: number | null }

/** How the paths that are waited for came to be. */
export class Tidings {
  readonly #tidings = new Map<string, Tiding>()

  /** What an event tells of was not missed, even if it was found in another way as well. */
  heard(path: string, heardAt: number | null): void {
    const source = this.of(path).source
    this.#tidings.set(path, { source: source === 'reconcile' ? 'daemon' : source, heardAt })
  }

  /** Somebody looked for it. Only that nobody watched is more than is known of a path that is waited for already. */
  found(path: string, source: Source): void {
    if (source === 'catch-up' || !this.#tidings.has(path))
      this.#tidings.set(path, { source, heardAt: this.of(path).heardAt })
  }

  of(path: string): Tiding {
    return this.#tidings.get(path) ?? BY_THE_INDEX
  }

  /** Hands over what is known of some paths, which are looked at now. */
  take(paths: Iterable<string>): ReadonlyMap<string, Tiding> {
    const taken = new Map([...paths].map(path => [path, this.of(path)]))
    for (const path of taken.keys()) this.#tidings.delete(path)
    return taken
  }

  /** Takes back what could not be looked at; what was heard meanwhile is the later word. */
  putBack(taken: ReadonlyMap<string, Tiding>, paths: Iterable<string>): void {
    for (const path of paths) {
      const { heardAt } = this.of(path)
      this.#tidings.set(path, taken.get(path) ?? BY_THE_INDEX)
      if (heardAt !== null) this.heard(path, heardAt)
    }
  }
}

const BY_THE_INDEX: Tiding = { source: 'daemon', heardAt: null }
