import { type Dirent, type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemErrorCode } from '../files/files.ts'
import { isWatchLimit } from './watch-limits.ts'
import type { IgnoredPaths } from './ignored-paths.ts'
import { overflowDetector } from './overflow-detector.ts'

/** What a tree has to tell when a turn of the event loop is over. */
export type TreeChanges = {
  readonly changed: readonly string[]
  readonly directoriesRemoved: readonly string[]
  /** Directories to be entered, unless somebody says that they are ignored. */
  readonly directoriesAdded: readonly string[]
  readonly overflowed: boolean
  /** How many directories can't be watched, and why the last of them could not. */
  readonly unwatched: { readonly directories: number; readonly code: string }
}

type Directory = { readonly watcher: FSWatcher; readonly identity: string; readonly below: Set<string> }

/**
 * A tree of directories, each watched by itself. A directory is watched first and read then, so that what comes in
 * between is told twice rather than never. No list of the files is kept. All but the start is synchronous, for a thread
 * of its own: the queue of events is read to its end before anything is done about them.
 */
export class DirectoryTree implements Disposable {
  readonly #root: string
  readonly #ignoring: IgnoredPaths
  readonly #onChanges: (turn: TreeChanges) => void
  readonly #overflow: ReturnType<typeof overflowDetector>
  readonly #directories = new Map<string, Directory>()
  readonly #unwatchable = new Map<string, string>()
  readonly #changed = new Set<string>()
  readonly #renamed = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #added = new Set<string>()
  #turn: NodeJS.Immediate | null = null

  constructor(root: string, { ignoring, onChanges: tell, queueLength }: TreeOptions) {
    this.#root = root
    this.#ignoring = ignoring
    this.#onChanges = tell
    this.#overflow = overflowDetector(queueLength)
  }

  /**
   * Enters every directory that stands there now, one level after the other, but for those that are ignored; tells of
   * nothing. Throws when the top can't be watched.
   */
  async start(ignoredAmong: (directories: readonly string[]) => Promise<readonly string[]>): Promise<void> {
    for (let level = ['']; level.length > 0;) {
      // While git was asked, one may have come anew, and been entered.
      for (const path of level) this.#leave(path)
      const below = level.flatMap(path =>
        this.#enter(path).flatMap(it => (it.isDirectory() ? join(path, it.name) : [])),
      )
      if (this.#unwatchable.has('')) throw Object.assign(new Error('unwatchable'), { code: this.#unwatchable.get('') })
      const ours = below.filter(it => !this.#ignoring.has(it))
      this.#ignoring.add(await ignoredAmong(ours))
      level = ours.filter(it => !this.#ignoring.has(it))
    }
    this.#endTurnSoon()
  }

  /** Enters directories that came, and tells of all that stands in them; leaves others, which are ignored. */
  admit({ admitted, ignored }: { readonly admitted: readonly string[]; readonly ignored: readonly string[] }): void {
    this.#ignoring.add(ignored)
    for (const path of ignored) this.#leave(path)
    for (const path of admitted) {
      if (this.#isWatched(path, directoryIdentity(join(this.#root, path)))) continue
      this.#leave(path)
      for (const entry of this.#enter(path)) this.#report(join(path, entry.name), { isDirectory: entry.isDirectory() })
    }
    this.#endTurnSoon()
  }

  /** What git ignores is something else now. */
  ignore(paths: readonly string[]): void {
    const { gone, come } = this.#ignoring.replace(paths)
    for (const path of come) this.#leave(path)
    for (const path of gone) this.#renamed.add(path)
    this.#endTurnSoon()
  }

  /** Tries again what could not be watched before. */
  retry(): void {
    for (const path of [...this.#unwatchable.keys()].slice(0, RETRIED_MAX)) this.#renamed.add(path)
    this.#endTurnSoon()
  }

  [Symbol.dispose](): void {
    if (this.#turn) clearImmediate(this.#turn)
    for (const { watcher } of this.#directories.values()) watcher.close()
  }

  #enter(path: string): Dirent[] {
    try {
      const entries = this.#open(path)
      // Another repository lies here. What is in it is no write of this one.
      if (path === '' || !entries.some(it => it.name === '.git')) return entries
      this.#leave(path)
    } catch (thrown) {
      this.#leave(path)
      const code = systemErrorCode(thrown) ?? String(thrown)
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#unwatchable.set(path, code)
    }
    return []
  }

  #open(path: string): Dirent[] {
    const absolute = join(this.#root, path)
    const watcher = watch(absolute, (kind, name) => this.#event(join(path, name ?? ''), kind))
    watcher.on('error', () => this.#event(path, 'rename'))
    const identity = directoryIdentity(absolute)
    this.#directories.set(path, { watcher, identity: identity ?? '', below: new Set() })
    this.#directories.get(parentOf(path))?.below.add(path)
    this.#unwatchable.delete(path)
    // A symlink that took the place of a directory must not lead out of the tree.
    if (identity === null) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    return readdirSync(absolute, { withFileTypes: true })
  }

  #event(path: string, kind: string): void {
    this.#overflow.event()
    if (kind === 'rename') this.#renamed.add(path)
    else this.#changed.add(path)
    this.#endTurnSoon()
  }

  #endTurnSoon(): void {
    this.#turn ??= setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#turn = null
    const overflowed = this.#overflow.turnEnds()
    if (overflowed) for (const path of this.#directories.keys()) this.#readAgain(path)
    for (const path of this.#changed) this.#lookAtChanged(path)
    for (const path of this.#renamed) this.#lookAtRenamed(path)
    const codes = [...this.#unwatchable.values()].filter(isWatchLimit)
    const blind = { directories: codes.length, code: codes.at(-1) ?? '' }
    const all = { changed: this.#changed, vanished: this.#removed, came: this.#added }
    this.#onChanges({
      changed: [...all.changed],
      directoriesRemoved: [...all.vanished],
      directoriesAdded: [...all.came],
      overflowed,
      unwatched: blind,
    })
    for (const it of [this.#renamed, ...Object.values(all)]) it.clear()
  }

  #lookAtChanged(path: string): void {
    const isOurs = !this.#directories.has(path) && !this.#unwatchable.has(path) && !this.#ignoring.has(path)
    if (!isOurs) this.#changed.delete(path)
    // Whoever may enter it now could not before.
    if (this.#unwatchable.has(path)) this.#renamed.add(path)
  }

  #lookAtRenamed(path: string): void {
    const absolute = join(this.#root, path)
    if (path.endsWith('/.git') && statAt(absolute)) this.#leave(parentOf(path))
    const identity = directoryIdentity(absolute)
    if (identity !== null && this.#isWatched(path, identity)) return
    if (this.#directories.has(path)) this.#vanish(path)
    if (identity === null) this.#unwatchable.delete(path)
    this.#report(path, { isDirectory: identity !== null })
    if (identity === null) this.#ignoring.forget(path)
  }

  #readAgain(path: string): void {
    const absolute = join(this.#root, path)
    if (!this.#isWatched(path, directoryIdentity(absolute))) return void this.#renamed.add(path)
    for (const it of entriesOf(absolute)) {
      const below = join(path, it.name)
      if (it.isDirectory() && !this.#directories.has(below)) this.#report(below, { isDirectory: true })
    }
  }

  #report(path: string, { isDirectory }: { isDirectory: boolean }): void {
    if (this.#ignoring.has(path)) return
    if (isDirectory) this.#added.add(path)
    else this.#changed.add(path)
  }

  #isWatched(path: string, identity: string | null): boolean {
    return identity !== null && this.#directories.get(path)?.identity === identity
  }

  #vanish(path: string): void {
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
  readonly ignoring: IgnoredPaths
  readonly onChanges: (turn: TreeChanges) => void
  /** How many events the system keeps for us at most. */
  readonly queueLength: number
}

const RETRIED_MAX = 100
const NO_THROW = { throwIfNoEntry: false } as const

function parentOf(path: string): string {
  const parent = dirname(path)
  return parent === '.' ? '' : parent
}

// Which directory stands at a path; null when none does. An inode's number comes back when a directory is made anew.
function directoryIdentity(absolute: string): string | null {
  const stat = statAt(absolute)
  return stat?.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : null
}

function statAt(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, NO_THROW)
  } catch {
    return undefined
  }
}

function entriesOf(absolute: string): Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true })
  } catch {
    return []
  }
}
