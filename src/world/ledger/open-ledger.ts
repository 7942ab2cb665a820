import { basename, join } from 'node:path'
import {
  compressedBeginning,
  type ListedPart,
  MARK_BYTES_MAX,
  partName,
  partsUpTo,
  unreadablePart,
} from '../../core/ledger/compressed-parts.ts'
import type { LedgerExtent } from '../../core/ledger/ledger-extent.ts'
import type { Files, OpenFile } from '../io/files/files.ts'
import { ownPath } from '../io/worktree/layout.ts'
import { locateLedger, type WorkspaceWithoutGit } from './locate-ledger.ts'

// Agents' hooks load this file: it does not read what is in the lines.

/** A ledger's file, and the folder with the compressed parts of its beginning. */
export type LedgerFile = { readonly path: string; readonly parts: string }

/**
 * A ledger to read from, with its compressed parts: offsets are those of a ledger that was never compressed, and stay
 * the same when it is. It shows what was there when it was opened.
 */
export type OpenLedger = OpenFile &
  LedgerFile & {
    readonly compressedBytes: number
    /** The paths of parts that are missing or damaged. Reads all parts. */
    unreadableParts(): Promise<string[]>
  }

/** Opens this worktree's ledger; null when there is none. */
export async function openLedger(workspace: WorkspaceWithoutGit): Promise<OpenLedger | null> {
  return openLedgerFile(workspace.files, ledgerFile(workspace, (await locateLedger(workspace)).path))
}

/** The size of this worktree's ledger in bytes, as if it was never compressed; 0 without one. */
export async function ledgerSize(workspace: WorkspaceWithoutGit): Promise<number> {
  await using ledger = await openLedger(workspace)
  return ledger?.size ?? 0
}

/** How large this worktree's ledger is, with its compressed parts; null without one. */
export async function ledgerExtent(workspace: WorkspaceWithoutGit): Promise<LedgerExtent | null> {
  await using ledger = await openLedger(workspace)
  if (!ledger) return null
  const { size, compressedBytes, parts } = ledger
  const names = compressedBytes > 0 ? await workspace.files.list(parts) : []
  const stats = await Promise.all(
    [ledger.path, ...names.map(it => join(parts, it))].map(it => workspace.files.stat(it)),
  )
  return { bytes: size, compressed: compressedBytes, onDisk: stats.reduce((sum, it) => sum + (it?.size ?? 0), 0) }
}

/** A file of a ledger, the current one or one that was closed, with the folder of its parts. */
export function ledgerFile(worktree: Pick<WorkspaceWithoutGit, 'gitDir'>, path: string): LedgerFile {
  return { path, parts: ownPath(worktree, `${basename(path, '.jsonl')}.parts`) }
}

type LedgerFiles = Pick<Files, 'open' | 'list' | 'stat'>

/** Opens a ledger's file; null when there is none. */
export async function openLedgerFile(files: LedgerFiles, place: LedgerFile): Promise<OpenLedger | null> {
  const file = await files.open(place.path)
  if (!file) return null
  const mark = compressedBeginning(await file.read(0, MARK_BYTES_MAX))
  // The mark may be a copy, in a clone that does not have the parts.
  const isCut = mark !== null && (await files.stat(join(place.parts, partName(mark.last)))) !== null
  const bytes = isCut ? mark.last.to : 0
  const moved = isCut ? bytes - mark.markBytes : 0
  const { read, unreadable } = partsReader(files, place.parts, bytes)
  return {
    ...place,
    compressedBytes: bytes,
    size: file.size + moved,
    async read(from, to, into) {
      if (from >= bytes) return file.read(from - moved, to - moved, into)
      const rest = to > bytes ? [await file.read(bytes - moved, to - moved)] : []
      return Buffer.concat([...(await read(from, to)), ...rest])
    },
    unreadableParts: unreadable,
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  }
}

function partsReader(files: LedgerFiles, folder: string, bytes: number) {
  let listed: Promise<ListedPart[]> | null = null
  const list = () => (listed ??= files.list(folder).then(names => partsUpTo(bytes, names)))
  // The lines of a question come in the order of the ledger.
  let last: { readonly part: ListedPart; readonly bytes: Buffer } | null = null
  return {
    async read(from: number, to: number): Promise<Buffer[]> {
      const pieces: Buffer[] = []
      for (const part of (await list()).filter(it => it.from < to && it.to > from)) {
        if (last?.part !== part) last = { part, bytes: (await linesOf(files, folder, part)) ?? unreadablePart(part) }
        pieces.push(last.bytes.subarray(Math.max(0, from - part.from), to - part.from))
      }
      return pieces
    },
    async unreadable(): Promise<string[]> {
      const parts: ListedPart[] = []
      for (const it of await list()) if (!(await linesOf(files, folder, it))) parts.push(it)
      return parts.map(it => join(folder, partName(it)))
    },
  }
}

/** The lines of a part; null when it is missing or damaged. */
async function linesOf(files: LedgerFiles, folder: string, part: ListedPart): Promise<Buffer | null> {
  const { gunzipFile } = await import('./gunzip-file.ts')
  return part.isThere ? gunzipFile(files, join(folder, partName(part)), part.to - part.from) : null
}
