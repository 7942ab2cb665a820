import { trimLine } from '../../base/lines.ts'
import { unquotePath } from '../quoted-path.ts'

/** A line without its text: the hash that the ledger has of it, and its weight as evidence. */
export type LineMark = {
  /** xxHash32 of the line without the white space at its ends. */
  readonly hash: number
  /** The number of its letters and digits; each byte of a non-ASCII character counts as one. */
  readonly weight: number
}

/**
 * A line of a hunk: `added` (no parent has it), `removed` (from every parent), or `kept`. `at` is its number (1-based)
 * in the text after the commit; for a removed line, in the parent's text.
 */
export type PatchLine = LineMark & {
  readonly side: 'added' | 'removed' | 'kept'
  readonly at: number
  readonly bytes: Uint8Array
}

/** A commit's change of a file; for a merge, the differences from every parent. */
export type FilePatch = {
  readonly path: string
  /** The old path of a renamed file. */
  readonly from: string | null
  /** Blob oids in the first parent and in the commit; null where there is no file. */
  readonly before: string | null
  readonly after: string | null
  /** Empty for a binary file, and for one that was only renamed. */
  readonly hunks: readonly (readonly PatchLine[])[]
}

export type CommitPatch = { readonly commit: string; readonly files: readonly FilePatch[] }

/**
 * The arguments of `git diff-tree --stdin` for `patchReader`. They override every setting of the user that would change
 * the output, and match lines as `git blame` does.
 */
export const PATCH_ARGS = [
  ...['-c', 'core.quotePath=true', '-c', 'diff.noprefix=false', 'diff-tree', '--stdin', '-r', '--root', '-c'],
  ...['--raw', '--patch', '--unified=3', '--inter-hunk-context=0', '--full-index', '-M', '-l1000', '--no-color'],
  ...['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '--ignore-submodules=none'],
  ...['--diff-algorithm=myers', '--indent-heuristic'],
]

/** Makes the function that marks a line, with the hash function of the ledger. */
export function lineMarker(xxh32: (bytes: Uint8Array) => number): (line: Uint8Array) => LineMark {
  return line => ({ hash: xxh32(trimLine(line)), weight: weightOf(line) })
}

function weightOf(line: Uint8Array): number {
  let weight = 0
  for (const byte of line) if (byte >= 0x80 || isAlphanumeric(byte)) weight++
  return weight
}

function isAlphanumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

/**
 * Takes each line that git prints, without its LF, and the end of output; returns a commit once it is complete. `part`
 * takes out the files of the unfinished commit that are complete: then the commit is returned in several parts.
 */
export type PatchReader = {
  readonly line: (line: Uint8Array) => CommitPatch | null
  readonly part: () => CommitPatch | null
  readonly end: () => CommitPatch | null
}

type UnfinishedPatch = Omit<FilePatch, 'hunks'> & { readonly hunks: PatchLine[][] }

/** Reads the output of `git diff-tree` with PATCH_ARGS. */
export function patchReader(mark: (line: Uint8Array) => LineMark): PatchReader {
  let commit: string | null = null
  let files: UnfinishedPatch[] = []
  let patched = -1
  let hunk: PatchLine[] | null = null
  let last: Uint8Array = new Uint8Array()
  let at: HunkPosition = { parents: 1, before: 0, after: 0 }
  const split = new WeakSet<UnfinishedPatch>()
  const take = (count: number): CommitPatch | null => {
    const taken = commit === null ? null : { commit, files: files.slice(0, count) }
    ;[files, patched] = [files.slice(count), patched - count]
    return taken
  }
  const end = (): CommitPatch | null => {
    const whole = take(files.length)
    ;[commit, patched, hunk] = [null, -1, null]
    return whole
  }
  const header = (text: string): CommitPatch | null => {
    if (OID.test(text)) {
      const whole = end()
      commit = text
      return whole
    }
    if (text.startsWith(':')) files.push(parseRawLine(text, split))
    else if (text.startsWith('diff --')) {
      const file = files[patched]
      const isSecond = file !== undefined && split.delete(file)
      ;[patched, hunk] = [isSecond ? patched : patched + 1, null]
    } else if (text.startsWith('@@')) {
      at = parseHunkHeader(text)
      files[patched]?.hunks.push((hunk = []))
    }
    return null
  }
  return {
    end,
    part: () => (patched < 1 ? null : take(patched)),
    line(line) {
      const first = line[0]
      if (hunk && (first === SPACE || first === PLUS || first === MINUS)) {
        hunk.push(...patchLines(line, at, mark))
        last = line
      } else if (hunk && first === BACKSLASH) unendLastLine(hunk, last.subarray(at.parents))
      else if (first !== BACKSLASH && line.length > 0) return header(Buffer.from(line).toString('utf8'))
      return null
    },
  }
}

// Without an LF at the end of a text, a CR there belongs to its last line. Of a line that a merge left out, the hunk
// has nothing.
function unendLastLine(hunk: PatchLine[], bytes: Uint8Array): void {
  const line = hunk.at(-1)
  const isSame = line !== undefined && bytes.at(-1) === CR && Buffer.compare(line.bytes, bytes.subarray(0, -1)) === 0
  if (isSame) hunk.splice(-1, 1, { ...line, bytes })
}

type HunkPosition = { readonly parents: number; before: number; after: number }

/** The line of a hunk that git printed, if it counts; the position moves on. */
function patchLines(line: Uint8Array, at: HunkPosition, mark: (line: Uint8Array) => LineMark): PatchLine[] {
  const signs = Buffer.from(line.subarray(0, at.parents)).toString('latin1')
  const bytes = line.subarray(at.parents, line.at(-1) === CR ? -1 : undefined)
  const marked = { ...mark(bytes), bytes }
  if (signs.includes('-')) {
    const removed = { ...marked, side: 'removed', at: at.before } as const
    if (signs.startsWith('-')) at.before++
    // A line that a merge leaves out is missing in one of its parents, so the merge did not remove it.
    return at.parents === 1 ? [removed] : []
  }
  if (signs.startsWith(' ')) at.before++
  return [{ ...marked, side: signs.includes(' ') ? 'kept' : 'added', at: at.after++ }]
}

const SPACE = 0x20
const PLUS = 0x2b
const MINUS = 0x2d
const BACKSLASH = 0x5c
const CR = 0x0d
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

// `:<modes> <oids> <status>\t<path>[\t<path>]`; for a merge with a further colon, mode and oid for each further parent.
// Git prints a file that becomes a link, or the reverse, as two patches: of a deletion, and of a creation.
const TYPE_CHANGE = /^:[^:\t]* T\t/

function parseRawLine(text: string, split: WeakSet<UnfinishedPatch>): UnfinishedPatch {
  const [facts = '', first = '', second] = text.split('\t')
  const parents = /^:+/.exec(facts)?.[0].length ?? 1
  const oids = facts.split(' ').slice(parents + 1, parents * 2 + 2)
  const path = unquotePath(second ?? first)
  const from = second === undefined || !/ R\d+$/.test(facts) ? null : unquotePath(first)
  const file = { path, from, before: oidOrNull(oids[0]), after: oidOrNull(oids.at(-1)), hunks: [] }
  if (TYPE_CHANGE.test(text)) split.add(file)
  return file
}

function oidOrNull(oid = ''): string | null {
  return /^0*$/.test(oid) ? null : oid
}

// `@@ -a,b +c,d @@`; for a merge with a further `@` and `-a,b` for each further parent.
function parseHunkHeader(text: string): { parents: number; before: number; after: number } {
  const parents = (/^@+/.exec(text)?.[0].length ?? 2) - 1
  const [, before] = / -(\d+)/.exec(text) ?? []
  const [, after] = / \+(\d+)/.exec(text) ?? []
  return { parents, before: Number(before), after: Number(after) }
}
