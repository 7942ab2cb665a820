import type { GitQuery } from './query.ts'

/** A path's entry in git's index: mode as six octal digits, and the blob's oid. */
export type IndexEntry = { readonly mode: string; readonly oid: string }

/** What a person, or a sparse checkout, says of a path so that git does not look at its file. */
export type IndexFlag = 'assume-unchanged' | 'skip-worktree'

/** The arguments with which git lists its index in the form that `GitIndex` reads. */
export const LIST_INDEX: readonly string[] = ['ls-files', '--stage', '-v', '-z', '--full-name', ':/']

/**
 * Git's index at one moment: all tracked paths without submodules; of an unmerged path the entry of our side (stage 2).
 * It keeps the bytes of git's list (`<tag> <mode> <oid> <stage>` TAB `<path>` NUL) and the start of each entry, after
 * its tag, in git's order: by the bytes of the paths. A Map takes five times the memory.
 */
export class GitIndex {
  readonly #bytes: Buffer
  readonly #pathAt: number
  readonly #starts: Uint32Array
  /** The starts of the entries that have a flag. */
  readonly #flagged: Uint32Array
  /** The path that was looked up last, of which more is often asked at once. */
  #last: { readonly path: string; readonly at: number | null } = { path: '', at: null }

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#pathAt = pathOffset(bytes)
    this.#starts = entryStarts(bytes, this.#pathAt)
    this.#flagged = this.#starts.filter(at => this.#flagAt(at) !== null)
  }

  get size(): number {
    return this.#starts.length
  }

  get(path: string): IndexEntry | undefined {
    const at = this.#find(path)
    if (at === null) return undefined
    const [mode = '', oid = ''] = this.#bytes.toString('latin1', at, at + this.#pathAt).split(' ')
    return { mode, oid }
  }

  has(path: string): boolean {
    return this.#find(path) !== null
  }

  /** The flag by which git does not look at the file of a path; null for none. */
  flagOf(path: string): IndexFlag | null {
    if (this.#flagged.length === 0) return null
    const at = this.#find(path)
    return at === null ? null : this.#flagAt(at)
  }

  /** The paths that have a flag. */
  flaggedPaths(flag: IndexFlag): string[] {
    return Array.from(this.#flagged.filter(at => this.#flagAt(at) === flag)).map(at => this.#pathText(at))
  }

  // Git writes the letter of a path that is assumed unchanged small, whatever else is said of it.
  #flagAt(at: number): IndexFlag | null {
    const tag = this.#bytes[at - TAG_LENGTH] ?? 0
    if (tag === SKIPPED_TAG) return 'skip-worktree'
    return tag >= SMALL_LETTERS ? 'assume-unchanged' : null
  }

  /** The paths whose blob is one of these. */
  pathsWithBlobs(oids: ReadonlySet<string>): string[] {
    const oidEnd = this.#pathAt - ' 0\t'.length
    return Array.from(this.#starts)
      .filter(at => oids.has(this.#bytes.toString('latin1', at + OID_AT, at + oidEnd)))
      .map(at => this.#pathText(at))
  }

  /** All paths. */
  *paths(): Generator<string, void> {
    for (const at of this.#starts) yield this.#pathText(at)
  }

  /** The paths in a directory and below. */
  *pathsBelow(directory: string): Generator<string, void> {
    for (let n = this.#positionOf(Buffer.from(`${directory}/`)); n < this.#starts.length; n++) {
      const path = this.#pathText(this.#starts[n])
      if (!path.startsWith(`${directory}/`)) return
      yield path
    }
  }

  /** For each path of this index or an earlier one: the path when its entries differ, null when they are the same. */
  *comparedWith(before: GitIndex): Generator<string | null, void> {
    const old = before.#starts
    const now = this.#starts
    for (let m = 0, n = 0; m < old.length || n < now.length;) {
      const order = this.#order(now[n], before, old[m])
      if (order < 0) yield this.#pathText(now[n])
      else if (order > 0) yield before.#pathText(old[m])
      else yield this.#isSameEntry(now[n] ?? 0, before, old[m] ?? 0) ? null : this.#pathText(now[n])
      if (order <= 0) n++
      if (order >= 0) m++
    }
  }

  /** Compares the current paths of two indexes; the end of an index comes after every path. */
  #order(at: number | undefined, other: GitIndex, otherAt: number | undefined): number {
    if (at === undefined) return 1
    if (otherAt === undefined) return -1
    const from = at + this.#pathAt
    const otherFrom = otherAt + other.#pathAt
    return this.#bytes.compare(other.#bytes, otherFrom, other.#end(otherFrom), from, this.#end(from))
  }

  #isSameEntry(at: number, other: GitIndex, otherAt: number): boolean {
    return this.#bytes.compare(other.#bytes, otherAt, otherAt + other.#pathAt, at, at + this.#pathAt) === 0
  }

  #end(at: number): number {
    return this.#bytes.indexOf(0, at)
  }

  #path(at: number): Buffer {
    return this.#bytes.subarray(at + this.#pathAt, this.#end(at + this.#pathAt))
  }

  #pathText(at = 0): string {
    return this.#path(at).toString('utf8')
  }

  #find(path: string): number | null {
    if (this.#last.path !== path) this.#last = { path, at: this.#search(Buffer.from(path)) }
    return this.#last.at
  }

  #search(path: Buffer): number | null {
    const at = this.#starts[this.#positionOf(path)]
    return at !== undefined && this.#comparedAt(path, at) === 0 ? at : null
  }

  #comparedAt(path: Buffer, at: number): number {
    const from = at + this.#pathAt
    return path.compare(this.#bytes, from, this.#end(from))
  }

  /** The position of the first entry whose path is this one or comes after it. */
  #positionOf(path: Buffer): number {
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#comparedAt(path, this.#starts[middle] ?? 0) <= 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

const SPACE = 0x20
const SLASH = 0x2f
const TAG_LENGTH = 'H '.length
const OID_AT = '100644 '.length
const SKIPPED_TAG = 'S'.charCodeAt(0)
const SMALL_LETTERS = 'a'.charCodeAt(0)

/** Where the path of an entry begins, as seen from its start: all object ids of a repository have one length. */
function pathOffset(bytes: Buffer): number {
  const oidAt = TAG_LENGTH + OID_AT
  return OID_AT + bytes.indexOf(SPACE, oidAt) - oidAt + ' 0\t'.length
}

// Large indexes are read while somebody waits for the daemon, so these loops call nothing for a byte or an entry.
function entryStarts(bytes: Buffer, pathAt: number): Uint32Array {
  const starts = new Uint32Array(Math.ceil(bytes.length / (TAG_LENGTH + pathAt)))
  let count = 0
  for (let at = TAG_LENGTH; at < bytes.length; at += 1 + TAG_LENGTH) {
    const stage = bytes[at + pathAt - 2]
    const isSubmodule = bytes[at] === 0x31 && bytes[at + 1] === 0x36
    if (!isSubmodule && (stage === 0x30 || stage === 0x32)) starts[count++] = at
    for (at += pathAt; at < bytes.length && bytes[at] !== 0;) at++
  }
  return starts.slice(0, count)
}

/** The directories in which git tracks a file, at any depth, by the list that `GitIndex` reads. */
export function trackedDirectories(bytes: Buffer): Set<string> {
  const found = new Set<string>()
  const pathAt = TAG_LENGTH + pathOffset(bytes)
  let last = { from: 0, slash: 0 }
  for (let at = pathAt; at < bytes.length; at += 1 + pathAt) {
    const from = at
    let slash = from
    for (; at < bytes.length && bytes[at] !== 0; at++) if (bytes[at] === SLASH) slash = at
    if (isSameText(bytes, last, { from, slash })) continue
    last = { from, slash }
    addWithParents(found, bytes.toString('utf8', from, slash))
  }
  return found
}

type PathSpan = { readonly from: number; readonly slash: number }

function isSameText(bytes: Buffer, one: PathSpan, other: PathSpan): boolean {
  const length = other.slash - other.from
  if (one.slash - one.from !== length) return false
  for (let n = length - 1; n >= 0; n--) if (bytes[one.from + n] !== bytes[other.from + n]) return false
  return true
}

function addWithParents(found: Set<string>, directory: string): void {
  for (let at = directory; at !== '' && !found.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    found.add(at)
}

/** The paths that git tracks, and the new ones that no ignore file names. */
export const pathsOfWorktree: GitQuery<string[]> = {
  args: ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  parse: out => out.split('\0').slice(0, -1),
}

/** Every path in the index. */
export const trackedPaths: GitQuery<string[]> = {
  args: ['ls-files', '-z'],
  parse: out => [...new Set(out.split('\0').slice(0, -1))],
}

/** The tracked paths among some that a sparse checkout leaves out of the worktree. */
export function skipWorktreePaths(paths: readonly string[]): GitQuery<Set<string>> {
  return {
    args: ['ls-files', '-t', '-z', '--', ...paths],
    parse: out => new Set(out.split('\0').flatMap(it => (it.startsWith('S ') ? [it.slice(2)] : []))),
  }
}
