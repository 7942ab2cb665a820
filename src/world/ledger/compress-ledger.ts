import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LEDGER_FILE_BYTES_MAX, LEDGER_PART_BYTES, LEDGER_PLAIN_BYTES } from '../../core/base/thresholds.ts'
import { type CompressedPart, partName, partsUpTo } from '../../core/ledger/compressed-parts.ts'
import { seal } from '../../core/ledger/seal.ts'
import { withLock } from '../io/files/lock.ts'
import { VERSION } from '../io/files/package.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { locateLedger, replaceLedger, settleLedger } from './locate-ledger.ts'
import { openLedger, type OpenLedger } from './open-ledger.ts'
import { readWholeLines } from './read-whole-lines.ts'

/** Sizes in bytes: of the ledger's file at most, of its end that is left as it is, and of the lines of a part. */
export type LedgerSizes = { readonly fileMax: number; readonly plain: number; readonly part: number }

const SIZES: LedgerSizes = { fileMax: LEDGER_FILE_BYTES_MAX, plain: LEDGER_PLAIN_BYTES, part: LEDGER_PART_BYTES }

/**
 * Moves the beginning of a ledger whose file has grown into compressed parts. No line is lost or changed, and no
 * question has another answer. When a step fails, the ledger is the one from before; records are appended meanwhile.
 */
export async function compressLedger(workspace: Workspace, sizes: LedgerSizes = SIZES): Promise<void> {
  const work = () => compressUnderLock(workspace, sizes)
  if (await isAbove(workspace, sizes)) await withLock(ownPath(workspace, 'parts.lock'), work, { waitMsMax: 0 })
}

async function isAbove(workspace: Workspace, { fileMax }: LedgerSizes): Promise<boolean> {
  const { path, state } = await locateLedger(workspace)
  // Of two different files, only a person knows which one is the ledger.
  return state !== 'split' && ((await workspace.files.stat(path))?.size ?? 0) > fileMax
}

async function compressUnderLock(workspace: Workspace, sizes: LedgerSizes): Promise<void> {
  await using ledger = await openLedger(workspace)
  if (!ledger || !(await isAbove(workspace, sizes))) return
  const { files } = workspace
  await files.privateFolder(ledger.parts)
  const parts = await cutIntoParts(ledger, sizes)
  const known = new Set([...partsUpTo(ledger.compressedBytes, await files.list(ledger.parts)), ...parts].map(partName))
  const last = parts.at(-1)
  // Parts of another ledger, or of one that was emptied, may be all that is left of it: only a person removes them.
  if (!last || (await files.list(ledger.parts)).some(it => it.endsWith('.gz') && !known.has(it))) return
  for (const it of parts) {
    const lines = await ledger.read(it.from, it.to)
    await files.replace(join(ledger.parts, partName(it)), await promisify(gzip)(lines), 0o600)
  }
  await withLock(ownPath(workspace, 'ledger.lock'), () => cutOff(workspace, ledger, last))
}

/** The parts that all lines but the last ones go into: an attempt that failed has made the same ones. */
async function cutIntoParts(ledger: OpenLedger, sizes: LedgerSizes): Promise<CompressedPart[]> {
  const parts: CompressedPart[] = []
  for (let from = ledger.compressedBytes; ;) {
    const { length } = await readWholeLines(ledger, from, { bytesMax: sizes.part })
    const part = { from, to: from + length }
    if (length === 0 || part.to > ledger.size - sizes.plain) return parts
    parts.push(part)
    from = part.to
  }
}

/** Leaves the ledger's file with the lines after a part. For the holder of the ledger's lock. */
async function cutOff(workspace: Workspace, before: OpenLedger, last: CompressedPart): Promise<void> {
  await settleLedger(workspace)
  await using ledger = await openLedger(workspace)
  // Another ledger may have begun meanwhile.
  if (!ledger || !(await haveSameLines(before, ledger, last))) return
  const { clock } = workspace
  const stamp = { id: clock.uuid(), timestamp: new Date(clock.now()).toISOString(), revision: null, version: VERSION }
  const event = { event: 'ledger-compressed', last } as const
  // The mark is in no chain but its own.
  const { line } = seal({ event }, { ...stamp, writer: clock.uuid(), seq: 0, prev: null })
  const rest = await ledger.read(last.to, ledger.size)
  await replaceLedger(workspace, Buffer.concat([Buffer.from(`${line}\n`), rest]))
}

async function haveSameLines(one: OpenLedger, other: OpenLedger, { from, to }: CompressedPart): Promise<boolean> {
  const [lines, same] = await Promise.all([one, other].map(it => it.read(from, to)))
  return one.compressedBytes === other.compressedBytes && lines !== undefined && same?.equals(lines) === true
}
