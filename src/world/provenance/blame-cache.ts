import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import { isBinary, textLines } from '../../core/base/lines.ts'
import { readHead } from '../io/worktree/head.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { blamePath } from './blame.ts'
import type { BlamedLine } from './blamed-line.ts'

/** The authors of the lines of a file on disk, and these lines. */
export type BlamedFile = {
  readonly lines: readonly BlamedLine[]
  readonly texts: readonly string[]
  /** By git's own test. */
  readonly isBinary: boolean
}

/** The authors of the files of a worktree, each found once for a commit of HEAD and a content of the file. */
export type BlameCache = {
  /** Null for a file that is not there, or not a text for git. */
  read(path: string): Promise<BlamedFile | null>
  /** Forgets everything: notes may have come, or the policy may have changed. */
  forget(): void
}

type Cached = {
  readonly stamp: string
  readonly file: Promise<BlamedFile | null>
  ledgerAt: number | null
  lines: number
}

// More files than an editor shows at a time, and together as many lines as take some 60 MB.
const FILES_MAX = 100
const LINES_MAX = 500_000

/** The cache of one worktree. */
export function openBlameCache(workspace: Workspace): BlameCache {
  const cache = new Map<string, Cached>()
  const ledgerTime = () => workspace.files.modifiedAt(layoutOf(workspace).ledger).catch(() => null)
  const load = (path: string, stamp: string): Cached => {
    const file = blameOnDisk(workspace, path).catch(() => null)
    const entry: Cached = { stamp, file, ledgerAt: null, lines: 0 }
    void file.then(async it => {
      entry.lines = it?.lines.length ?? 0
      dropOldest(cache)
      // Only the ledger knows the authors of lines that are not committed.
      if (it?.lines.some(line => line.commit === null)) entry.ledgerAt = await ledgerTime()
    })
    return entry
  }
  return {
    async read(path) {
      const stamp = await stampOf(workspace, path)
      if (stamp === null) return null
      const known = cache.get(path)
      const isKnown = known?.stamp === stamp && (known.ledgerAt === null || known.ledgerAt === (await ledgerTime()))
      const entry = isKnown ? known : load(path, stamp)
      // Set again, so that the first of the map is the one that was not read for the longest time.
      cache.delete(path)
      cache.set(path, entry)
      dropOldest(cache)
      return entry.file
    },
    forget: () => cache.clear(),
  }
}

// The file that was read last stays, however long it is.
function dropOldest(cache: Map<string, Cached>): void {
  let lines = [...cache.values()].reduce((sum, it) => sum + it.lines, 0)
  for (const [path, it] of cache) {
    if (cache.size === 1 || (cache.size <= FILES_MAX && lines <= LINES_MAX)) return
    cache.delete(path)
    lines -= it.lines
  }
}

async function stampOf(workspace: Workspace, path: string): Promise<string | null> {
  const [head, found] = await Promise.all([
    readHead(workspace).catch(() => null),
    stat(join(workspace.root, path)).catch(() => null),
  ])
  return found?.isFile() ? [head, found.mtimeMs, found.size, found.ino].join(' ') : null
}

async function blameOnDisk(workspace: Workspace, path: string): Promise<BlamedFile | null> {
  const bytes = await workspace.files.read(join(workspace.root, path), LARGE_FILE_BYTES_MAX)
  if (bytes === null) return null
  const lines = await blamePath(workspace, { path, revision: null })
  return { lines, texts: textLines(bytes.toString('utf8')), isBinary: isBinary(bytes) }
}
