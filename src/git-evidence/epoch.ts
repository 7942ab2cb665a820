/**
 * The time since everything was last at rest. What git had before it is old; of what git came to have in it, somebody's
 * own is known by having been told of.
 */
export type Period = {
  /** Its begin, in milliseconds since 1970: whatever was done before had been looked at by then. */
  since(): number
  /** How long HEAD's log was then. */
  log(): number
  /** True when a path had a content (null: no file) in this time, and that was known or told of. */
  knows(path: string, oid: string | null): boolean
  /** A content that is known, or told of, may be gone from its path before long. */
  keep(path: string, oid: string | null): void
  /** Somebody looks at a path. */
  look(path: string, looked: Looked): void
  /** All paths are found as they were known, but for those that are named. */
  lookAll(looked: Looked, except: Iterable<string>): void
  /** When a path was last looked at in this time; before it at the latest. */
  looked(path: string): Looked
  /** What went into a stash before anybody looked comes back unknown, however late. */
  miss(path: string, oid: string): void
  missed(path: string, oid: string): boolean
  /** Everything is at rest: true when that lets a new period begin. */
  rested(now: Looked): boolean
  /** Begin and contents, as they are written down. */
  written(): WrittenPeriod
}

export type WrittenPeriod = {
  readonly since: number
  readonly log: number
  readonly told: readonly string[]
  readonly missed: readonly string[]
  readonly all?: Looked | undefined
  readonly looks?: Readonly<Record<string, Looked>> | undefined
}

/** When that was, in milliseconds since 1970, and how long HEAD's log was then. */
export type Looked = { readonly at: number; readonly log: number }

/** Takes up a period. Signs may be late, so one that is over lasts until the next one has been for a while. */
export function periodOf({ since, log, told, missed: unknown, ...looked }: WrittenPeriod): Period {
  const missed = new Set(unknown)
  let now = { since, log, told: new Set(told), looks: new Map(Object.entries(looked.looks ?? {})) }
  let before = now
  let all: Looked = looked.all ?? { at: since, log }
  return {
    since: () => before.since,
    log: () => before.log,
    knows: (path, oid) => [before, now].some(it => it.told.has(nameOf(path, oid))),
    keep(path, oid) {
      now.told.add(nameOf(path, oid))
      missed.delete(nameOf(path, oid))
    },
    look: (path, looked) => void now.looks.set(path, looked),
    lookAll(looked, except) {
      const last = new Map([...except].map(path => [path, before.looks.get(path) ?? all]))
      now.looks.clear()
      for (const [path, it] of last) now.looks.set(path, it)
      all = looked
    },
    looked: path => now.looks.get(path) ?? before.looks.get(path) ?? all,
    miss: (path, oid) => void missed.add(nameOf(path, oid)),
    missed: (path, oid) => missed.has(nameOf(path, oid)),
    rested({ at, log }) {
      if (at - now.since < LATE_MS) return false
      before = now
      if (all.at < before.since) all = { at: before.since, log: before.log }
      now = { since: at, log, told: new Set(), looks: new Map() }
      return true
    },
    written: () => ({
      since: before.since,
      log: before.log,
      told: [...new Set([...before.told, ...now.told])],
      missed: [...missed],
      all,
      looks: Object.fromEntries([...before.looks, ...now.looks]),
    }),
  }
}

// Nobody is told of anything later than this, unless the machine stood still.
const LATE_MS = 2_000

function nameOf(path: string, oid: string | null): string {
  return `${oid ?? 'nothing'} ${path}`
}
