import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../io/blobs.ts'
import type { Standing } from '../io/worktree.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Bracket } from './brackets.ts'
import { type HeadLog, headLogOf, type Makers } from './head-log.ts'
import { cleanerOf, learntAt, type Question } from './objects.ts'
import { type Stashes, stashesOf } from './stashes.ts'

/** Evidence of what git has been doing to the worktree. Times are milliseconds since 1970. */
export type GitActivity = {
  /** True when git held the index while the file was written, and nobody has touched it since. */
  mayHaveWritten(file: Pick<Standing, 'modifiedAt' | 'changedAt'>): boolean
  /** As for a file, of the folder that one has gone from: the time is all that there is, so it has to be sure. */
  mayHaveEmptied(folder: Pick<Standing, 'changedAt'>): boolean
  /** Whether git knew a content when a file with it was written. */
  learnt(question: Question): ReturnType<typeof learntAt>
  /** The blob that git would make of a file, where that may be of other bytes; else null. */
  cleaned(path: string, bytes: Buffer | null): Promise<string | null>
  /** By whom a path came to a blob (null: to be gone); null when nothing tells. */
  readonly maker: Makers
  /** True when a step of a merge, rebase, cherry-pick or revert was taken at that time. */
  stepped(modifiedAt: number): Promise<boolean>
  /** True when patches are being applied, and the last one may not be a commit yet. */
  applying(): Promise<boolean>
  /** True when a stash has that blob at the path, or (null) has the path deleted. */
  stashed(path: string, oid: string | null): Promise<boolean>
  /** True when a blob has just gone from a path into a stash. */
  stashedAway(path: string, oid: string): Promise<boolean>
  /** The blob that git may have put at a path since it was seen, before somebody wrote there. */
  restored(path: string, { entry, since }: { entry: string | null; since: number }): Promise<string | null>
  /** True when a blob has the marks of a conflict. */
  inConflict(oid: string): Promise<boolean>
}

/** What git leaves behind as it works, as far as a worker has followed it. */
export type Traces = { readonly headLog: HeadLog; readonly stashes: Stashes; readonly blobs: Blobs }

/** Begins to follow what git leaves behind. */
export function tracesOf(workspace: Workspace, blobs: Blobs): Traces {
  return { headLog: headLogOf(workspace), stashes: stashesOf(workspace), blobs }
}

/** True while a git command holds the index; a lock that is older than a minute was left behind. */
export async function indexIsLocked({ gitDir, clock }: Workspace): Promise<boolean> {
  const lock = await stat(join(gitDir, 'index.lock')).catch(() => null)
  return lock !== null && clock.now() - lock.mtimeMs < LOCK_MS_MAX
}

const LOCK_MS_MAX = 60_000

/** What can be said of git's doings now, given the times in which it held the index. */
export function gitActivity(
  workspace: Workspace,
  brackets: () => readonly Bracket[],
  { headLog, stashes, blobs }: Traces,
): GitActivity {
  const { now } = workspace.clock
  const makers = once(() => headLog.makers())
  const cleaner = once(async () => cleanerOf(workspace))
  const steps = once(() => stepsOf(workspace))
  const maker: Makers = async (path, oid) => (await makers())(path, oid)
  return {
    maker,
    // Git writes a file in one go. One that was moved, linked, or given other rights came there by another hand.
    mayHaveWritten: ({ modifiedAt, changedAt }) =>
      Math.abs(changedAt - modifiedAt) < TOUCH_MS &&
      brackets().some(({ from, to }) => changedAt >= from && changedAt < to + 1),
    mayHaveEmptied: ({ changedAt }) =>
      brackets().some(({ from, to, sure }) => sure && changedAt >= from && changedAt < to + 1),
    learnt: question => learntAt(workspace, blobs, question),
    cleaned: async (path, bytes) => (await cleaner())(path, bytes),
    stepped: async modifiedAt => (await steps()).some(at => Math.abs(at - modifiedAt) <= STEP_MS),
    async applying() {
      const at = await workspace.files.modifiedAt(join(workspace.gitDir, 'rebase-apply/patch'))
      return at !== null && at > now() - COMMIT_MS
    },
    stashed: (path, oid) => stashes.holds(path, oid),
    stashedAway: (path, oid) => stashes.holds(path, oid, 'new'),
    async restored(path, { entry, since }) {
      const begun = brackets()
        .filter(it => it.to >= since - TICK_MS)
        .map(it => it.from)
      if (begun.length === 0) return null
      const old = entry !== null && (await learntAt(workspace, blobs, { oid: entry, modifiedAt: Math.min(...begun) }))
      if (old === 'before' || (entry !== null && (await maker(path, entry)) === 'git')) return entry
      return stashes.popped(path)
    },
    async inConflict(oid) {
      const bytes = await blobs.read(oid)
      return bytes !== null && /^<{7} /m.test(bytes.toString('latin1'))
    },
  }
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10
const TOUCH_MS = 2
const STEP_MS = 30
const COMMIT_MS = 1_000

/** When each sign of an operation that is under way was last written. */
async function stepsOf({ gitDir, files }: Workspace): Promise<number[]> {
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG', 'SQUASH_MSG', 'rebase-merge']
  const times = await Promise.all([...signs, 'rebase-apply'].map(it => files.modifiedAt(join(gitDir, it))))
  return times.filter(it => it !== null)
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => (answer ??= ask())
}
