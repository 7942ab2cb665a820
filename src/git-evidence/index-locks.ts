import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '../worktree/workspace.ts'

/** A time in which git held the index, in milliseconds since 1970; its begin is `sure`, or as early as may be. */
export type Bracket = { readonly from: number; readonly to: number; readonly sure: boolean }

/** While nobody watched, git may have been at work at any time. */
export const ALWAYS: Bracket = { from: -Infinity, to: Infinity, sure: true }

/** When git held the index of a worktree: all that its files and the events on them tell. */
export type Brackets = {
  /** Something happened to a file of this name in the git directory; false when the index is not touched by it. */
  saw(name: string): boolean
  /** Every bracket up to this moment; one that is still open has no end. */
  readonly all: () => readonly Bracket[]
  /** When the lock was taken that git held at a time; null when nothing told of it. */
  readonly lockedAt: (time: number) => number | null
}

/** Puts brackets together. Each sign is looked at while it is there: the next command of git takes it away. */
export function bracketsOf({ gitDir, clock }: Workspace): Brackets {
  // Whoever asks hears of nothing that was over by now.
  const since = clock.now()
  const begun = new Map<string, number>()
  let brackets: readonly Bracket[] = []
  let locks: readonly Bracket[] = []
  const statOf = (name: string): Stats | undefined => statSync(join(gitDir, name), { throwIfNoEntry: false })
  const earliest = (now: number, lateMs = LATE_MS): number => Math.max(now - lateMs, since)
  const note = (bracket: Bracket): void => {
    brackets = joined(brackets, bracket)
    if (bracket.sure) locks = [...locks.filter(it => it.from !== bracket.from), bracket].slice(-BRACKETS_MAX)
  }
  const take = (): void => {
    // Its inode was born as `index.lock`, and got its name when all was written.
    const index = statOf('index')
    if (index) note({ from: index.birthtimeMs, to: index.ctimeMs, sure: true })
  }
  const lockMoved = (name: string): void => {
    const [now, lock, from] = [clock.now(), statOf(name), begun.get(name)]
    // It came and went before anybody looked, or went now.
    if (!lock) note({ from: from ?? earliest(now), to: now, sure: from !== undefined })
    // Others may have come and gone before this one.
    else if (from === undefined) note({ ...before(lock.birthtimeMs, now), sure: false })
    // It went, and the next command took another one before anybody looked.
    else if (from < lock.birthtimeMs) note({ from, to: lock.birthtimeMs, sure: true })
    if (lock) begun.set(name, lock.birthtimeMs)
    else begun.delete(name)
  }
  const before = (birth: number, now: number): Omit<Bracket, 'sure'> => {
    const from = earliest(now, now - birth > PROMPT_MS ? LATE_MS : PROMPT_MS)
    return { from: Math.min(from, birth), to: birth }
  }
  take()
  return {
    saw(name) {
      if (!OF_THE_INDEX.test(name)) return false
      take()
      if (name !== 'index') lockMoved(name === '' ? 'index.lock' : name)
      return true
    },
    lockedAt: time =>
      locks.findLast(it => it.from <= time && time < it.to + 1)?.from ?? begun.get('index.lock') ?? null,
    all: () => {
      take()
      const lock = statOf('index.lock')
      const open = lock ? [lock.birthtimeMs, ...begun.values()] : [...begun.values()]
      return [...brackets, ...open.map(from => ({ from, to: Infinity, sure: true }))]
    },
  }
}

// A commit of some paths and a stash have an index of their own. No name at all may be any name.
const OF_THE_INDEX = /^$|^index$|^index\.lock$|^(next-)?index[-.].*\d/

// Nobody is told of an event later than this, unless the machine stood still.
const LATE_MS = 500
/** Most come within some milliseconds; later than this, the machine is very busy or the daemon stood still. */
export const PROMPT_MS = 100

function joined(brackets: readonly Bracket[], { from, to, sure }: Bracket): Bracket[] {
  const touches = (it: Bracket): boolean => it.sure === sure && it.to >= from && it.from <= to
  const touching = brackets.filter(touches)
  const [first, last] = [Math.min(from, ...touching.map(it => it.from)), Math.max(to, ...touching.map(it => it.to))]
  return [...brackets.filter(it => !touches(it)), { from: first, to: last, sure }].slice(-BRACKETS_MAX)
}

const BRACKETS_MAX = 500
