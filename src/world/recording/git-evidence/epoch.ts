import { EPOCH_QUIET_MS } from '../../../core/base/thresholds.ts'

/** An epoch as the checkpoint has it. */
export type SavedEpoch = {
  readonly since: number
  readonly log: number
  readonly reported: readonly string[]
  readonly missed: readonly string[]
  readonly all?: ObservedAt | undefined
  readonly looks?: Readonly<Record<string, ObservedAt>> | undefined
}

/** When something was inspected, in milliseconds since 1970, and how long HEAD's log was then. */
export type ObservedAt = { readonly at: number; readonly log: number }

type Span = ObservedAt & { readonly seen: Set<string>; readonly inspected: Map<string, ObservedAt> }

/**
 * The time since the worktree was last quiet. What git had before it is old; of what is new to git since then, a
 * person's own is known by having been recorded. Signs may be late, so an epoch lasts until the next one is older.
 */
export class Epoch {
  #last: Span
  #now: Span
  #all: ObservedAt
  readonly #stashedUnseen: Set<string>

  constructor({ since, log, reported, missed, all, looks = {} }: SavedEpoch) {
    this.#now = { at: since, log, seen: new Set(reported), inspected: new Map(Object.entries(looks)) }
    this.#last = this.#now
    this.#all = all ?? { at: since, log }
    this.#stashedUnseen = new Set(missed)
  }

  /** When it began: whatever was done before had been inspected by then. And how long HEAD's log was. */
  get began(): ObservedAt {
    return this.#last
  }

  /** Whether a path had a content (null: no file) in this epoch, and that was known or recorded. */
  hasSeen(path: string, oid: string | null): boolean {
    return [this.#last, this.#now].some(it => it.seen.has(nameOf(path, oid)))
  }

  /** A content is known, or recorded: it may be gone from its path before long. */
  markSeen(path: string, oid: string | null): void {
    this.#now.seen.add(nameOf(path, oid))
    this.#stashedUnseen.delete(nameOf(path, oid))
  }

  markInspected(path: string, when: ObservedAt): void {
    this.#now.inspected.set(path, when)
  }

  /** All paths were found as they were known, but for those that are named. */
  markAllInspected(when: ObservedAt, except: Iterable<string>): void {
    const last = new Map([...except].map(path => [path, this.#last.inspected.get(path) ?? this.#all]))
    this.#now.inspected.clear()
    for (const [path, it] of last) this.#now.inspected.set(path, it)
    this.#all = when
  }

  /** When a path was last inspected in this epoch; its begin at the latest. */
  inspectedAt(path: string): ObservedAt {
    return this.#now.inspected.get(path) ?? this.#last.inspected.get(path) ?? this.#all
  }

  /** What went into a stash before it was inspected comes back unknown, however late. */
  markStashedUnseen(path: string, oid: string): void {
    this.#stashedUnseen.add(nameOf(path, oid))
  }

  wasStashedUnseen(path: string, oid: string): boolean {
    return this.#stashedUnseen.has(nameOf(path, oid))
  }

  /** The worktree is quiet: true when that lets a new epoch begin. */
  close({ at, log }: ObservedAt): boolean {
    if (at - this.#now.at < EPOCH_QUIET_MS) return false
    this.#last = this.#now
    if (this.#all.at < this.#last.at) this.#all = { at: this.#last.at, log: this.#last.log }
    this.#now = { at, log, seen: new Set(), inspected: new Map() }
    return true
  }

  /** The epoch as the checkpoint has it. */
  saved(): Omit<SavedEpoch, 'looks'> & { readonly looks: ReadonlyMap<string, ObservedAt> } {
    return {
      since: this.#last.at,
      log: this.#last.log,
      reported: [...new Set([...this.#last.seen, ...this.#now.seen])],
      missed: [...this.#stashedUnseen],
      all: this.#all,
      looks: new Map([...this.#last.inspected, ...this.#now.inspected]),
    }
  }
}

function nameOf(path: string, oid: string | null): string {
  return `${oid ?? 'nothing'} ${path}`
}
