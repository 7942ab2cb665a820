import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitQuery } from '../git/query.ts'
import type { Blobs } from '../io/git/blobs.ts'
import type { FileState } from '../io/files/file-state.ts'
import type { WriteFacts } from '../attribution/judge-write.ts'
import type { RecorderContext } from '../observation/recorder-context.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { type Bracket, type Brackets, PROMPT_MS } from './index-locks.ts'
import { type HeadLog, headLogOf, type Makers } from './reflog-evidence.ts'
import { blobMadeAt, cleanerOf, packedSince } from './object-age.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import { type Stashes, stashesOf } from './stashes.ts'

/** Evidence of what git has been doing to the worktree. Times are milliseconds since 1970. */
export type GitActivity = {
  /** True when git held the index while a file was written, as far as is known, and nobody has touched it since. */
  mayHaveWritten(path: string, file: Pick<FileState, 'modifiedAt' | 'changedAt'>): boolean
  /** Git may have been at work since a time. */
  workedSince(time: number): boolean
  /** Since when git has a content that is, or was, at a path; who knows that it `exists` need not have it read. */
  origin(path: string, oid: string, known?: { readonly exists: boolean }): Promise<Origin>
  /** The blob that git would make of a file, where that may be of other bytes; else null. */
  cleaned(path: string, bytes: Buffer | null): Promise<string | null>
  /** By whom a path came to a blob (null: to be gone); null when nothing tells. */
  readonly maker: Makers
  /** True when the worktree may be without files that the index has. */
  isSparse(): Promise<boolean>
  /** True when patches are being applied, and the last one may not be a commit yet. */
  applying(): Promise<boolean>
  /** True when a stash has that blob at the path, or (null) has the path deleted. */
  stashed(path: string, oid: string | null, age?: 'old'): Promise<boolean>
  /** When the first stash was made that has a blob at a path; Infinity when none has it. */
  stashedSince(path: string, oid: string): Promise<number>
  /** True when the last that HEAD's moves did at a path since it was looked at was to take away what it had. */
  tookAway(path: string): Promise<boolean>
  /** True when a folder on the way to a path was moved, or given other rights, after a time, and nothing since. */
  movedWith(path: string, time: number): Promise<boolean>
  /** True when a path has gone into a stash since it was looked at. */
  stashedAway(path: string): Promise<boolean>
  /** What git may have put at a path since it was seen, before somebody wrote there. */
  restored(path: string, { entry, since }: { entry: string | null; since: number }): Promise<Restored>
  /** True when a blob has the marks of a conflict. */
  inConflict(oid: string): Promise<boolean>
}

/** Since when git has a content, and the time that it was made at, where that is known. */
export type Origin = { readonly origin: WriteFacts['origin']; readonly madeAt: number }

/** Blobs: what moves of HEAD brought, and all that git may have put there. */
export type Restored = { readonly moved: string | null; readonly all: readonly string[] }

/** What git leaves behind as it works, as far as a worker has followed it. */
export type Traces = {
  readonly headLog: HeadLog
  readonly stashes: Stashes
  readonly blobs: Blobs
  readonly memory: WorktreeState
}

/** Begins to follow what git leaves behind. */
export function tracesOf(
  { workspace, blobs, state: memory }: Pick<RecorderContext, 'workspace' | 'blobs' | 'state'>,
  lockedAt: Brackets['lockedAt'] = () => null,
): Traces {
  return { headLog: headLogOf(workspace, { memory, lockedAt }), stashes: stashesOf(workspace, memory), blobs, memory }
}

/**
 * True while a git command holds the index, or a rebase is between two steps: what git leaves behind is judged when it
 * is done. A lock that is older than a minute was left behind. `movedMsAgo` is when the index last moved.
 */
export async function gitIsAtWork({ gitDir, clock }: Workspace, movedMsAgo: number): Promise<boolean> {
  const statOf = (name: string) => stat(join(gitDir, name)).catch(() => null)
  const lock = await statOf('index.lock')
  if (lock !== null && clock.now() - lock.mtimeMs < LOCK_MS_MAX) return true
  return movedMsAgo < STEP_MS && (await statOf('rebase-merge')) !== null
}

// Git takes 10 ms from one commit to the next.
const STEP_MS = 50

const LOCK_MS_MAX = 60_000

/** What was heard of git and of files: when git held the index, and when an event told of a path, if one did. */
export type Heard = {
  readonly brackets: () => readonly Bracket[]
  readonly heardAt?: (path: string) => number | null
}

/** What can be said of git's doings now, given what was heard of them. */
export function gitActivity(
  workspace: Workspace,
  { brackets, heardAt = () => null }: Heard,
  { headLog, stashes, blobs, memory: { epoch: period } }: Traces,
): GitActivity {
  const log = once(() => headLog.read())
  const popped = once(() => stashes.popped())
  const cleaner = once(async () => cleanerOf(workspace))
  const packed = once(() => packedSince(workspace, period.since()))
  const maker: Makers = async question => (await log()).maker(question)
  const origin = async (path: string, oid: string, { exists } = { exists: false }): Promise<Origin> => {
    const madeAt = await blobMadeAt(workspace, blobs, { oid, exists })
    if (madeAt === null) return { origin: 'never', madeAt: Infinity }
    if (period.knows(path, oid)) return { origin: 'told', madeAt }
    if (madeAt >= period.since() || period.missed(path, oid)) return { origin: 'fresh', madeAt }
    const isHidden = madeAt === -Infinity && (await packed()) && (await maker({ path, oid })) === 'hand'
    return { origin: isHidden ? 'fresh' : 'old', madeAt }
  }
  return {
    maker,
    mayHaveWritten: (path, file) => mayHaveWritten(brackets(), file, heardAt(path)),
    workedSince: time => workedIn(brackets(), time).length > 0,
    origin,
    tookAway: async path => (await log()).took(path, period.looked(path)),
    movedWith: async (path, time) => (await movedAt(workspace, path, time)) !== null,
    isSparse: once(async () => (await workspace.git.tryAsk(SPARSE)) ?? false),
    cleaned: async (path, bytes) => (await cleaner())(path, bytes),
    applying: () => isApplying(workspace),
    stashed: (path, oid, age) => stashes.holds(path, oid, age),
    stashedSince: (path, oid) => stashes.heldSince(path, oid),
    stashedAway: path => stashes.took(path),
    async restored(path, { entry, since }) {
      const begun = workedIn(brackets(), since)
      if (begun.length === 0) return { moved: null, all: [] }
      // While nobody watched, nothing tells in which order things were done.
      const wasWatched = begun.every(it => it.from > -Infinity)
      const isGits = async (oid: string): Promise<boolean> =>
        (wasWatched && (await origin(path, oid)).origin !== 'fresh') || (await maker({ path, oid })) === 'git'
      const moved = await (await log()).brought(path, period.looked(path))
      const indexed = entry !== null && (await isGits(entry)) ? entry : null
      return { moved, all: [moved, indexed, (await popped())(path)].filter(it => it !== null) }
    },
    async inConflict(oid) {
      const bytes = await blobs.read(oid)
      return bytes !== null && /^<{7} /m.test(bytes.toString('latin1'))
    },
  }
}

function mayHaveWritten(
  brackets: readonly Bracket[],
  { modifiedAt, changedAt }: Pick<FileState, 'modifiedAt' | 'changedAt'>,
  heardAt: number | null,
): boolean {
  // Git writes a file in one go. One that was moved, linked, or given other rights came there by another hand.
  if (Math.abs(changedAt - modifiedAt) >= TOUCH_MS) return false
  if (brackets.some(({ from, to }) => changedAt >= from && changedAt < to + 1)) return true
  // Where a file's event was late, those of the index were as well, and its next lock hides the one before.
  return heardAt !== null && heardAt - changedAt > PROMPT_MS && workedIn(brackets, changedAt).length > 0
}

// The last patch may not be a commit yet.
async function isApplying({ files, gitDir, clock }: Workspace): Promise<boolean> {
  const at = await files.modifiedAt(join(gitDir, 'rebase-apply/patch'))
  return at !== null && at > clock.now() - COMMIT_MS
}

const SPARSE: GitQuery<boolean> = {
  args: ['config', '--type=bool', '--get', 'core.sparseCheckout'],
  parse: out => out.startsWith('true'),
}

/** When a folder on the way to a path was moved, or given other rights, after a time and last; null when none was. */
export async function movedAt({ root }: Workspace, path: string, time: number): Promise<number | null> {
  // Whatever is put into a folder changes both times; git moves none.
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = await stat(join(root, folder)).catch(() => null)
    if (found && found.ctimeMs > time && found.ctimeMs > found.mtimeMs) return found.ctimeMs
  }
  return null
}

function workedIn(brackets: readonly Bracket[], since: number): readonly Bracket[] {
  return brackets.filter(it => it.to >= since - TICK_MS)
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10
const TOUCH_MS = 2
const COMMIT_MS = 1_000

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => (answer ??= ask())
}
