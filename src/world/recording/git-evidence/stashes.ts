import { FILE_CLOCK_TICK_MS, STASH_TO_REMOVAL_MS } from '../../../core/base/thresholds.ts'
import { changedAtFromSignature } from '../../io/files/file-state.ts'
import { changesBetweenTrees, emptyTree, type PathChange } from '../../../core/git/changes.ts'
import { lastPackedAt, looseCreatedAt, wasPackedSince } from './object-age.ts'
import { autostashes, loggedStashes, stashLogSignature } from './standing-stashes.ts'
import { knownContent, type WorktreeState } from '../observation/worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** What is, or lately was, in the stashes of a clone. */
export class Stashes {
  readonly #workspace: Workspace
  readonly #state: WorktreeState
  readonly #opened = new Map<string, Promise<Opened>>()
  readonly #noted = new Map<string, Promise<void>>()
  // When each was first seen that is there, or lately was. Git keeps those that are dropped for weeks.
  readonly #seenAt = new Map<string, number>()
  #standing: ReadonlySet<string> = new Set()
  // Those of the last two rests; before the first look nobody knows.
  #rests: readonly [before: ReadonlySet<string>, last: ReadonlySet<string>] | null = null
  // The stat of the log just before it was read, and the other stashes, at the last complete look.
  #lookedAt: string | null = null
  #autostashes: readonly string[] = []
  // Those that came since somebody last looked; null until that is known.
  #came: ReadonlySet<string> | null = null

  constructor(workspace: Workspace, state: WorktreeState) {
    this.#workspace = workspace
    this.#state = state
  }

  /** The checkpoint is loaded: what is in a stash that came since, and was not seen before, is noted. */
  async begin(): Promise<void> {
    await this.look()
    this.#rests ??= [this.#standing, this.#standing]
    const last = this.#state.stashes ?? [...this.#standing]
    this.#came = new Set([...this.#standing].filter(it => !last.includes(it)))
    await this.look()
  }

  /** Looks at which stashes there are: the next `stash pop` takes one away. */
  readonly look: () => Promise<void> = shared(async () => {
    this.#autostashes = await autostashes(this.#workspace)
    await this.#lookAtLog()
  })

  // For single paths: git makes and drops an autostash next to changes of the index, at which all are looked at.
  readonly #lookAtLog: () => Promise<void> = shared(() => this.#lookNow())

  async #lookNow(): Promise<void> {
    const signature = [await stashLogSignature(this.#workspace), ...this.#autostashes].join()
    if (signature === this.#lookedAt) return
    const standing = new Set([...(await loggedStashes(this.#workspace)), ...this.#autostashes])
    this.#standing = standing
    for (const stash of standing) if (!this.#seenAt.has(stash)) this.#seenAt.set(stash, this.#workspace.clock.now())
    if (!this.#came) return
    await Promise.all([...standing].map(it => cached(this.#noted, it, () => this.#note(it))))
    if (String(this.#state.stashes) !== String([...standing])) this.#state.revision++
    this.#state.stashes = [...standing]
    this.#lookedAt = signature
  }

  /** Whether a stash has a blob at a path, or (null) has the path deleted; an `old` one is from before this epoch. */
  async holds(path: string, oid: string | null, age?: 'old'): Promise<boolean> {
    for (const stash of await this.#with(path, oid)) if (age === undefined || !(await this.#isNew(stash))) return true
    return false
  }

  /** When the first stash was made that has a blob at a path; Infinity when none has it. */
  async heldSince(path: string, oid: string): Promise<number> {
    const stashes = await this.#with(path, oid)
    return Math.min(Infinity, ...(await Promise.all(stashes.map(it => this.#takenAt(it)))))
  }

  /** Whether a path that HEAD did not have went into a stash since it was inspected, whatever it held then. */
  async took(path: string): Promise<boolean> {
    await this.#lookAtLog()
    const since = this.#state.epoch.inspectedAt(path).at
    const { signature = null, content = null } = this.#state.paths.get(path) ?? {}
    const stoodSince = signature === null ? Infinity : changedAtFromSignature(signature)
    for (const stash of this.#standing) {
      const { added, all } = await this.#open(stash)
      if (!added.has(path)) continue
      // One that was packed while nobody watched has no time, but who last looked did not see it.
      const isUnseen = since < this.#state.begunAt && this.#came?.has(stash)
      const takenAt = await this.#takenAt(stash)
      // Git makes the stash first: what went into it may still have been in the worktree at our inspection.
      const isTaken = all.get(path) === content?.oid && stoodSince <= takenAt && since - takenAt < STASH_TO_REMOVAL_MS
      if (isUnseen || isTaken || takenAt + FILE_CLOCK_TICK_MS >= since) return true
    }
    return false
  }

  /** Finds the blob that the newest stash had at a path, of those that went in this epoch. */
  async popped(): Promise<(path: string) => string | null> {
    await this.look()
    const gone = this.#recent().filter(it => !this.#standing.has(it))
    const contents = await Promise.all(gone.map(async it => (await this.#open(it)).all))
    return path => contents.findLast(it => it.has(path))?.get(path) ?? null
  }

  /** A new epoch begins. */
  async epochClosed(): Promise<void> {
    await this.look()
    const last = this.#rests?.[1] ?? this.#standing
    for (const stash of this.#seenAt.keys())
      if (!this.#standing.has(stash) && !last.has(stash))
        for (const kept of [this.#seenAt, this.#noted, this.#opened]) kept.delete(stash)
    this.#rests = [last, this.#standing]
  }

  #recent(): string[] {
    return [...this.#seenAt.keys()].slice(-STASHES_MAX)
  }

  async #with(path: string, oid: string | null): Promise<string[]> {
    await this.#lookAtLog()
    const found: string[] = []
    for (const stash of this.#recent()) if ((await this.#open(stash)).all.get(path) === oid) found.push(stash)
    return found
  }

  #open(stash: string): Promise<Opened> {
    return cached(this.#opened, stash, () => contentsOf(this.#workspace, stash))
  }

  // One that was packed at once came before it was packed and first seen, after the look at which it was not there.
  async #takenAt(stash: string): Promise<number> {
    const seenAt = (this.#rests?.[0].has(stash) ?? true) ? -Infinity : this.#seenAt.get(stash)
    const madeAt = await looseCreatedAt(this.#workspace, stash)
    return madeAt ?? Math.min(seenAt ?? Infinity, await lastPackedAt(this.#workspace))
  }

  async #isNew(stash: string): Promise<boolean> {
    return this.#came?.has(stash) || (await this.#takenAt(stash)) >= this.#state.epoch.began.at
  }

  async #note(stash: string): Promise<void> {
    if (await this.#isNew(stash)) await missFrom(this.#workspace, this.#state, await this.#open(stash))
  }
}

/** Asks each time, but once for all who want an answer in one turn: it is never older than the wish for it. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null
  return () =>
    (next ??= Promise.resolve().then(() => {
      next = null
      return ask()
    }))
}

function cached<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key)
  if (known) return known
  const value = make()
  map.set(key, value)
  // What could not be asked is asked again.
  value.catch(() => map.delete(key))
  return value
}

type Contents = ReadonlyMap<string, string | null>

const STASHES_MAX = 20

/** Notes what went into a stash before it was inspected: in a later epoch it would look old. */
async function missFrom(workspace: Workspace, state: WorktreeState, { tracked, untracked }: Opened): Promise<void> {
  const isUnknown = (path: string, oid: string): boolean =>
    knownContent(state, path)?.oid !== oid && !state.epoch.hasSeen(path, oid)
  for (const [path, oid] of untracked)
    if (oid !== null && isUnknown(path, oid)) state.epoch.markStashedUnseen(path, oid)
  for (const [path, oid] of tracked)
    if (oid !== null && isUnknown(path, oid) && !(await isOld(workspace, state.epoch.began.at, { path, oid })))
      state.epoch.markStashedUnseen(path, oid)
}

/** True when git had a blob before a time. */
async function isOld(workspace: Workspace, since: number, { path, oid }: { path: string; oid: string }) {
  const at = (await looseCreatedAt(workspace, oid)) ?? -Infinity
  // Packed while nobody watched, it may be as new as the stash.
  if (at === -Infinity && (await wasPackedSince(workspace, since))) return isInHistory(workspace, path, oid)
  return at < since
}

type Opened = {
  readonly all: Contents
  readonly tracked: Contents
  readonly untracked: Contents
  /** What HEAD did not have: these are gone when they are in the stash. */
  readonly added: ReadonlySet<string>
}

/** True when a commit, also one that only a log names, brought a blob to a path or took it away. */
async function isInHistory({ git }: Workspace, path: string, oid: string): Promise<boolean> {
  const args = ['log', '--exclude=refs/stash', '--all', 'HEAD', '-1', '--format=%H', `--find-object=${oid}`, '--', path]
  return (await git.tryAsk({ args, parse: out => out !== '' })) ?? true
}

/** A stash is a commit on top of the HEAD that it was made on; its third parent holds what was untracked. */
async function contentsOf({ git }: Workspace, oid: string): Promise<Opened> {
  const tracked = (await git.tryAsk(changesBetweenTrees(`${oid}^1`, oid))) ?? []
  const untracked = (await git.tryAsk(changesBetweenTrees(await git.ask(emptyTree), `${oid}^3`))) ?? []
  const added = [...tracked, ...untracked].filter(it => it.before === null).map(it => it.path)
  const both = { tracked: blobsIn(tracked), untracked: blobsIn(untracked) }
  return { ...both, all: new Map([...both.tracked, ...both.untracked]), added: new Set(added) }
}

function blobsIn(changes: readonly PathChange[]): Contents {
  return new Map(changes.map(({ path, after }) => [path, after?.oid ?? null]))
}
