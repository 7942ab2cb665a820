import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemErrorCode } from '../files/files.ts'
import { directoryIdentity, entriesOf, statAt } from './directory-stats.ts'
import { type KnownDirectories, lastLooks, type LastLook, parentOf, pathIn } from './known-directories.ts'
import { type IgnoredPaths, ignoredPathsOf, isWatchLimit } from './port.ts'
import { overflowDetector } from './overflow-detector.ts'
import { watchDirectory, type WatchedDirectory } from './watched-directory.ts'

/** The changes of a tree in one turn of the event loop. */
export type TreeChanges = {
  readonly changed: readonly string[]
  readonly directoriesRemoved: readonly string[]
  /** New directories. They are not watched until the caller admits them, because git may ignore them. */
  readonly directoriesAdded: readonly string[]
  readonly overflowed: boolean
  /** How many directories can't be watched, and why the last of them could not. */
  readonly unwatched: { readonly directories: number; readonly code: string }
}

/**
 * A tree of directories with one watcher each. A directory is watched before it is read, so a change in between is
 * reported twice rather than never. There is no list of files. All but `start` is synchronous, for a thread of its own:
 * the system's queue of events is read to its end before an event is handled.
 */
export class DirectoryTree implements Disposable {
  readonly #root: string
  #ignored: IgnoredPaths = ignoredPathsOf([])
  readonly #onChanges: (changes: TreeChanges) => void
  readonly #overflow: ReturnType<typeof overflowDetector>
  readonly #directories = new Map<string, WatchedDirectory>()
  readonly #unwatchable = new Map<string, string>()
  readonly #changed = new Set<string>()
  readonly #renamed = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #added = new Set<string>()
  /** Directories that were found, and that git may ignore. */
  readonly #undecided: string[] = []
  #isStarted = false
  #turn: NodeJS.Immediate | null = null

  constructor(root: string, { onChanges, queueLength }: TreeOptions) {
    this.#root = root
    this.#onChanges = onChanges
    this.#overflow = overflowDetector(queueLength)
  }

  /** Ignores the paths that match a glob, and later those that git ignores. */
  begin(globs: readonly string[]): void {
    this.#ignored = ignoredPathsOf(globs)
  }

  /** Watches the root, and below it the known directories. One that has not changed is not read. */
  enterKnown(known: KnownDirectories): void {
    const lastLook = lastLooks(known)
    for (let level = ['']; level.length > 0;) {
      const below = level.flatMap(path => this.#enterForDirectories(path, lastLook(path)))
      for (const it of below) if (!known.has(it)) this.#undecided.push(it)
      level = below.filter(it => known.has(it))
    }
  }

  /** The watched directories. */
  watched(): KnownDirectories {
    const isWhole = ({ found, below }: WatchedDirectory): boolean => found === below.size
    return new Map([...this.#directories].map(([path, it]) => [path, isWhole(it) ? it.changedAt : null]))
  }

  /**
   * After `begin`, watches the other present directories, level by level, except the ignored ones. Reports what has
   * changed since the directories were entered, and not what was in them. Throws when the root can't be watched.
   */
  async start(ignoredAmong: (directories: readonly string[]) => Promise<readonly string[]>): Promise<void> {
    this.#isStarted = true
    if (this.#unwatchable.has('')) throw Object.assign(new Error('unwatchable'), { code: this.#unwatchable.get('') })
    for (const path of this.#directories.keys()) if (this.#ignored.has(path)) this.#leave(path)
    // There may have been no watches left before the ignored directories gave theirs back.
    for (let level = [...this.#undecided, ...this.#unwatchable.keys()]; level.length > 0;) {
      const ours = level.filter(it => !this.#ignored.has(it))
      this.#ignored.add(await ignoredAmong(ours))
      const admitted = ours.filter(it => !this.#ignored.has(it))
      // A directory may have been created again and entered while git answered.
      for (const path of admitted) this.#leave(path)
      level = admitted.flatMap(path => this.#enterForDirectories(path))
    }
    this.#endTurnSoon()
  }

  /** Watches new directories and reports their entries as changed. Stops watching the ignored ones. */
  admit({ admitted, ignored }: { readonly admitted: readonly string[]; readonly ignored: readonly string[] }): void {
    this.#ignored.add(ignored)
    for (const path of ignored) this.#leave(path)
    for (const path of admitted) {
      if (this.#isWatched(path, directoryIdentity(join(this.#root, path)))) continue
      this.#leave(path)
      for (const entry of this.#enter(path, () => this.#read(path)))
        this.#report(pathIn(path, entry.name), { isDirectory: entry.isDirectory() })
    }
    this.#endTurnSoon()
  }

  /** Replaces the paths that git ignores. */
  ignore(paths: readonly string[]): void {
    const { removed, added } = this.#ignored.replace(paths)
    for (const path of added) this.#leave(path)
    for (const path of removed) this.#renamed.add(path)
    this.#endTurnSoon()
  }

  /** Tries again to watch directories that could not be watched. */
  retry(): void {
    for (const path of [...this.#unwatchable.keys()].slice(0, RETRIED_MAX)) this.#renamed.add(path)
    this.#endTurnSoon()
  }

  [Symbol.dispose](): void {
    if (this.#turn) clearImmediate(this.#turn)
    for (const { watcher } of this.#directories.values()) watcher.close()
  }

  #enterForDirectories(path: string, last: LastLook | null = null): readonly string[] {
    return this.#enter(path, directory => {
      const isSame = last !== null && directory.changedAt === last.changedAt
      const below = isSame
        ? last.below
        : this.#read(path)?.flatMap(it => (it.isDirectory() ? pathIn(path, it.name) : []))
      directory.found = below?.length ?? 0
      return below ?? null
    })
  }

  /** Watches a directory, and returns what `read` finds in it: null for a directory that is not ours. */
  #enter<T>(path: string, read: (directory: WatchedDirectory) => readonly T[] | null): readonly T[] {
    try {
      const entries = read(this.#open(path))
      if (entries !== null) return entries
      this.#leave(path)
    } catch (thrown) {
      this.#leave(path)
      const code = systemErrorCode(thrown) ?? String(thrown)
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#unwatchable.set(path, code)
    }
    return []
  }

  #open(path: string): WatchedDirectory {
    const directory = watchDirectory(`${this.#root}/${path}`, (kind, name) => this.#event(pathIn(path, name), kind))
    this.#directories.set(path, directory)
    this.#directories.get(parentOf(path))?.below.add(path)
    this.#unwatchable.delete(path)
    return directory
  }

  #read(path: string): Dirent[] | null {
    const entries = readdirSync(`${this.#root}/${path}`, { withFileTypes: true })
    // Another repository: its files do not belong to this worktree.
    return path !== '' && entries.some(it => it.name === '.git') ? null : entries
  }

  #event(path: string, kind: string): void {
    this.#overflow.event()
    if (kind === 'rename') this.#renamed.add(path)
    else this.#changed.add(path)
    this.#endTurnSoon()
  }

  #endTurnSoon(): void {
    if (this.#isStarted) this.#turn ??= setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#turn = null
    const overflowed = this.#overflow.turnEnds()
    if (overflowed) for (const path of this.#directories.keys()) this.#readAgain(path)
    for (const path of this.#changed) this.#handleChanged(path)
    for (const path of this.#renamed) this.#handleRenamed(path)
    const codes = [...this.#unwatchable.values()].filter(isWatchLimit)
    this.#onChanges({
      changed: [...this.#changed],
      directoriesRemoved: [...this.#removed],
      directoriesAdded: [...this.#added],
      overflowed,
      unwatched: { directories: codes.length, code: codes.at(-1) ?? '' },
    })
    for (const it of [this.#renamed, this.#changed, this.#removed, this.#added]) it.clear()
  }

  #handleChanged(path: string): void {
    const isOurs = !this.#directories.has(path) && !this.#unwatchable.has(path) && !this.#ignored.has(path)
    if (!isOurs) this.#changed.delete(path)
    // Its permissions may have changed, so that it can be watched now.
    if (this.#unwatchable.has(path)) this.#renamed.add(path)
  }

  #handleRenamed(path: string): void {
    const absolute = join(this.#root, path)
    if (path.endsWith('/.git') && statAt(absolute)) this.#leave(parentOf(path))
    const identity = directoryIdentity(absolute)
    if (identity !== null && this.#isWatched(path, identity)) return
    if (this.#directories.has(path)) this.#remove(path)
    if (identity === null) this.#unwatchable.delete(path)
    this.#report(path, { isDirectory: identity !== null })
    if (identity === null) this.#ignored.forget(path)
  }

  #readAgain(path: string): void {
    const absolute = join(this.#root, path)
    if (!this.#isWatched(path, directoryIdentity(absolute))) return void this.#renamed.add(path)
    for (const it of entriesOf(absolute)) {
      const below = pathIn(path, it.name)
      if (it.isDirectory() && !this.#directories.has(below)) this.#report(below, { isDirectory: true })
    }
  }

  #report(path: string, { isDirectory }: { isDirectory: boolean }): void {
    if (this.#ignored.has(path)) return
    if (isDirectory) this.#added.add(path)
    else this.#changed.add(path)
  }

  #isWatched(path: string, identity: string | null): boolean {
    return identity !== null && this.#directories.get(path)?.identity === identity
  }

  #remove(path: string): void {
    this.#removed.add(path)
    this.#leave(path)
  }

  #leave(path: string): void {
    this.#unwatchable.delete(path)
    const directory = this.#directories.get(path)
    if (!directory) return
    this.#directories.delete(path)
    this.#directories.get(parentOf(path))?.below.delete(path)
    directory.watcher.close()
    for (const below of directory.below) this.#leave(below)
  }
}

type TreeOptions = {
  readonly onChanges: (changes: TreeChanges) => void
  /** How many events the system queues at most. */
  readonly queueLength: number
}

const RETRIED_MAX = 100
