import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LockInterval } from '../../../core/authorship/change-origin/index-lock.ts'
import { LATE_EVENT_MS_MAX, PROMPT_EVENT_MS } from '../../../core/base/thresholds.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/**
 * When git held the index of a worktree, as far as its files and the events on them show. Each sign is read while it is
 * there: the next git command removes it.
 */
export class IndexLocks {
  readonly #workspace: Workspace
  readonly #since: number
  /** When each lock that was seen last, and is not known to be gone, was taken. */
  readonly #takenAt = new Map<string, number>()
  #intervals: readonly LockInterval[] = []
  #certain: readonly LockInterval[] = []
  /** The index's interval, when that is what was noted last. */
  #last: Pick<LockInterval, 'from' | 'to'> | null = null

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    // No event reports what was over by now.
    this.#since = workspace.clock.now()
    this.#noteIndex()
  }

  /** A file of this name in the git directory changed; false when it says nothing of the index. */
  saw(name: string): boolean {
    if (!OF_THE_INDEX.test(name)) return false
    this.#noteIndex()
    if (name !== 'index') this.#noteLock(name === '' ? 'index.lock' : name)
    return true
  }

  /** When git took the lock that it held at a time; null when nothing showed it. */
  lockedAt(time: number): number | null {
    const held = this.#certain.findLast(it => it.from <= time && time < it.to + 1)
    return held?.from ?? this.#takenAt.get('index.lock') ?? null
  }

  /** Every interval up to now; one that is still open has no end. */
  all(): readonly LockInterval[] {
    this.#noteIndex()
    const lock = this.#stat('index.lock')
    const open = [...(lock ? [lock.birthtimeMs] : []), ...this.#takenAt.values()]
    return [...this.#intervals, ...open.map(from => ({ from, to: Infinity, certain: true }))]
  }

  #stat(name: string): Stats | undefined {
    return statSync(join(this.#workspace.gitDir, name), { throwIfNoEntry: false })
  }

  #note(interval: LockInterval): void {
    this.#last = null
    this.#intervals = joined(this.#intervals, interval)
    if (interval.certain)
      this.#certain = [...this.#certain.filter(it => it.from !== interval.from), interval].slice(-INTERVALS_MAX)
  }

  // The inode of the index was born as `index.lock`, and got its name when all was written.
  #noteIndex(): void {
    const index = this.#stat('index')
    if (!index) return
    const from = index.birthtimeMs
    const to = index.ctimeMs
    if (this.#last?.from === from && this.#last.to === to) return
    this.#note({ from, to, certain: true })
    this.#last = { from, to }
  }

  #noteLock(name: string): void {
    const now = this.#workspace.clock.now()
    const lock = this.#stat(name)
    const from = this.#takenAt.get(name)
    // It came and went before it was seen, or went now.
    if (!lock) this.#note({ from: from ?? this.#earliest(now), to: now, certain: from !== undefined })
    // Others may have come and gone before this one.
    else if (from === undefined) this.#note({ ...this.#before(lock.birthtimeMs, now), certain: false })
    // It went, and the next command took another one before that was seen.
    else if (from < lock.birthtimeMs) this.#note({ from, to: lock.birthtimeMs, certain: true })
    if (lock) this.#takenAt.set(name, lock.birthtimeMs)
    else this.#takenAt.delete(name)
  }

  #before(birth: number, now: number): Omit<LockInterval, 'certain'> {
    const from = this.#earliest(now, now - birth > PROMPT_EVENT_MS ? LATE_EVENT_MS_MAX : PROMPT_EVENT_MS)
    return { from: Math.min(from, birth), to: birth }
  }

  #earliest(now: number, lateMs = LATE_EVENT_MS_MAX): number {
    return Math.max(now - lateMs, this.#since)
  }
}

// A commit of some paths and a stash have an index of their own. No name at all may be any name.
const OF_THE_INDEX = /^$|^index$|^index\.lock$|^(next-)?index[-.].*\d/

function joined(intervals: readonly LockInterval[], { from, to, certain }: LockInterval): LockInterval[] {
  const touches = (it: LockInterval): boolean => it.certain === certain && it.to >= from && it.from <= to
  const touching = intervals.filter(touches)
  const first = Math.min(from, ...touching.map(it => it.from))
  const last = Math.max(to, ...touching.map(it => it.to))
  return [...intervals.filter(it => !touches(it)), { from: first, to: last, certain }].slice(-INTERVALS_MAX)
}

const INTERVALS_MAX = 500
