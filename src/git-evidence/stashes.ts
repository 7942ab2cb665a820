import { join } from 'node:path'
import { changedAtFromSignature } from '../io/files/file-state.ts'
import { changesBetweenTrees } from '../git/tree-changes.ts'
import { type PathChange, emptyTree } from '../git/changes.ts'
import { looseSince, packedSince } from './object-age.ts'
import { knownContent, type WorktreeState } from '../observation/worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What lies, or lately lay, in stashes. */
export type Stashes = {
  /** What is known is taken up: of what came since, it is taken down what nobody had looked at. */
  begin(): Promise<void>
  /** Looks at which stashes there are: the next `stash pop` takes one away. */
  look(): Promise<void>
  /** True when a stash has a blob at a path, or (null) has the path deleted; an `old` one was there at rest. */
  holds(path: string, oid: string | null, age?: 'old'): Promise<boolean>
  /** When the first stash was made that has a blob at a path; Infinity when none has it. */
  heldSince(path: string, oid: string): Promise<number>
  /** True when a path that HEAD did not have has gone into a stash since it was looked at, whatever it held then. */
  took(path: string): Promise<boolean>
  /** Tells which blob the newest stash had at a path of those that went in this period. */
  popped(): Promise<(path: string) => string | null>
  /** A new period begins. */
  rested(): Promise<void>
}

/** Remembers the stashes of a clone. */
export function stashesOf(workspace: Workspace, memory: WorktreeState): Stashes {
  return new Remembered(workspace, memory)
}

class Remembered implements Stashes {
  readonly #workspace: Workspace
  readonly #memory: WorktreeState
  readonly #opened: ReturnType<typeof openedOf>
  readonly #noted = new Map<string, Promise<void>>()
  // What stands, or lately stood. Git keeps those that are dropped for weeks.
  readonly #seen = new Set<string>()
  readonly #rests = restsOf()
  #standing: ReadonlySet<string> = new Set()
  // What came since somebody last looked; null until that is known.
  #came: ReadonlySet<string> | null = null

  constructor(workspace: Workspace, memory: WorktreeState) {
    this.#workspace = workspace
    this.#memory = memory
    this.#opened = openedOf(workspace)
  }

  async begin(): Promise<void> {
    await this.look()
    this.#rests.begin(this.#standing)
    this.#came = cameSince(this.#memory.stashes, this.#standing)
    await this.look()
  }

  async look(): Promise<void> {
    const { files, commonDir, clock } = this.#workspace
    const end = await files.readEnd(join(commonDir, 'logs/refs/stash'), BYTES_MAX)
    const standing = new Set(stashesIn(end?.bytes.toString('utf8') ?? ''))
    this.#standing = standing
    this.#rests.see(standing, clock.now())
    for (const stash of standing) this.#seen.add(stash)
    for (const stash of [...this.#seen].slice(0, -STASHES_MAX)) this.#forget(stash)
    if (!this.#came) return
    await Promise.all([...standing].map(it => this.#noted.get(it) ?? kept(this.#noted, it, this.#note(it))))
    if (String(this.#memory.stashes) !== String([...standing])) this.#memory.revision++
    this.#memory.stashes = [...standing]
  }

  async holds(path: string, oid: string | null, age?: 'old'): Promise<boolean> {
    await this.look()
    for (const stash of this.#seen) {
      if ((await this.#opened.all(stash)).get(path) !== oid) continue
      if (age === undefined || !(await this.#isNew(stash))) return true
    }
    return false
  }

  async heldSince(path: string, oid: string): Promise<number> {
    await this.look()
    let since = Infinity
    for (const stash of this.#seen)
      if ((await this.#opened.all(stash)).get(path) === oid) since = Math.min(since, await this.#takenAt(stash))
    return since
  }

  async took(path: string): Promise<boolean> {
    await this.look()
    const since = this.#memory.epoch.looked(path).at
    const { signature = null, content = null } = this.#memory.paths.get(path) ?? {}
    const stoodSince = signature === null ? Infinity : changedAtFromSignature(signature)
    for (const stash of this.#standing) {
      const { added, all } = await this.#opened.open(stash)
      if (!added.has(path)) continue
      // One that was packed while nobody watched has no time, but who last looked did not see it.
      const isUnseen = since < this.#memory.begunAt && this.#came?.has(stash)
      const takenAt = await this.#takenAt(stash)
      // Git makes the stash first: what went into it may have stood there still when we looked.
      const isTaken = all.get(path) === content?.oid && stoodSince <= takenAt && since - takenAt < TAKING_MS
      if (isUnseen || isTaken || takenAt + TICK_MS >= since) return true
    }
    return false
  }

  async popped(): Promise<(path: string) => string | null> {
    await this.look()
    const gone = await Promise.all([...this.#seen].filter(it => !this.#standing.has(it)).map(this.#opened.all))
    return path => gone.findLast(it => it.has(path))?.get(path) ?? null
  }

  async rested(): Promise<void> {
    await this.look()
    for (const stash of this.#seen) if (!this.#standing.has(stash) && !this.#rests.had(stash)) this.#forget(stash)
    this.#rests.add(this.#standing)
  }

  async #takenAt(stash: string): Promise<number> {
    return (await looseSince(this.#workspace, stash)) ?? this.#rests.cameAt(stash)
  }

  async #isNew(stash: string): Promise<boolean> {
    return this.#came?.has(stash) || (await this.#takenAt(stash)) >= this.#memory.epoch.since()
  }

  async #note(stash: string): Promise<void> {
    if (await this.#isNew(stash)) await missFrom(this.#workspace, this.#memory, await this.#opened.open(stash))
  }

  #forget(stash: string): void {
    this.#seen.delete(stash)
    this.#noted.delete(stash)
    this.#opened.forget(stash)
  }
}

/** What somebody who last looked has not seen; nothing where nobody ever did. */
function cameSince(last: readonly string[] | null, standing: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(last === null ? [] : [...standing].filter(it => !last.includes(it)))
}

/** Opens each stash when it is first asked for. */
function openedOf(workspace: Workspace) {
  const opened = new Map<string, Promise<Opened>>()
  const open = (stash: string): Promise<Opened> =>
    opened.get(stash) ?? kept(opened, stash, contentsOf(workspace, stash))
  return {
    open,
    all: async (stash: string): Promise<Contents> => (await open(stash)).all,
    forget: (stash: string) => void opened.delete(stash),
  }
}

/** Which stashes were there at the last two rests; before the first look nobody knows. */
function restsOf() {
  const seen = new Map<string, number>()
  let [first, last]: (ReadonlySet<string> | null)[] = [null, null]
  return {
    begin: (standing: ReadonlySet<string>) => void (first ??= last ??= standing),
    see(standing: ReadonlySet<string>, now: number): void {
      for (const stash of standing) if (!seen.has(stash)) seen.set(stash, now)
    },
    add(standing: ReadonlySet<string>): void {
      first = last ?? standing
      last = standing
    },
    had: (stash: string): boolean => last?.has(stash) ?? false,
    /** When one came at the latest that was packed at once: it was not there before. */
    cameAt: (stash: string): number => ((first?.has(stash) ?? true) ? -Infinity : (seen.get(stash) ?? Infinity)),
  }
}

function kept<T>(map: Map<string, Promise<T>>, key: string, value: Promise<T>): Promise<T> {
  map.set(key, value)
  // What could not be asked is asked again.
  value.catch(() => map.delete(key))
  return value
}

type Contents = ReadonlyMap<string, string | null>

// The clock of files may be a tick behind.
const TICK_MS = 10
// From a stash on, until git takes away what is in it: a hook of references may be in between.
const TAKING_MS = 1_000
const BYTES_MAX = 8_192
const STASHES_MAX = 20

// `<old> <new> <who> <when> <zone>\t<message>`; the newest comes last.
function stashesIn(log: string): string[] {
  return [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].flatMap(([, oid]) => oid ?? [])
}

/** Takes down what went into a stash before anybody looked: a later period could not tell that it is new. */
async function missFrom(workspace: Workspace, memory: WorktreeState, { tracked, untracked }: Opened): Promise<void> {
  const isUnknown = (path: string, oid: string): boolean =>
    knownContent(memory, path)?.oid !== oid && !memory.epoch.knows(path, oid)
  for (const [path, oid] of untracked) if (oid !== null && isUnknown(path, oid)) memory.epoch.miss(path, oid)
  for (const [path, oid] of tracked)
    if (oid !== null && isUnknown(path, oid) && !(await isOld(workspace, memory.epoch.since(), { path, oid })))
      memory.epoch.miss(path, oid)
}

/** True when git had a blob before a time. */
async function isOld(workspace: Workspace, since: number, { path, oid }: { path: string; oid: string }) {
  const at = (await looseSince(workspace, oid)) ?? -Infinity
  // Packed while nobody watched, it may be as new as the stash.
  if (at === -Infinity && (await packedSince(workspace, since))) return isInHistory(workspace, path, oid)
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
