import { withLock } from '../io/files/lock.ts'
import type { RandomAccessFile } from '../io/files/random-access-file.ts'
import { ledgerIndexBytes, type LedgerIndex, indexStretch, readLedgerIndex, tailHash } from '../ledger/ledger-index.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { readWholeLines } from './read-in-parts.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { CATALOGUE_LOCK_WAIT_MS_MAX } from '../timing/thresholds.ts'

/** Called with the part of a long ledger that has been read, from 0 to 1. */
export type ReadProgress = (share: number) => void

/** The catalogue of a ledger up to its last whole line: the saved part, and an index of the lines after it. */
export async function currentCatalogue(
  workspace: Workspace,
  ledger: RandomAccessFile,
  progress: ReadProgress = () => {},
): Promise<LedgerIndex> {
  const work = () => extendCatalogue(workspace, ledger, { isKept: true, progress })
  const saved = withLock(ownPath(workspace, 'catalogue.lock'), work, { waitMsMax: CATALOGUE_LOCK_WAIT_MS_MAX })
  // A reader without write access uses a catalogue in memory.
  return saved.catch(() => extendCatalogue(workspace, ledger, { isKept: false, progress }))
}

/** Removes a catalogue that does not match its ledger. */
export async function removeCatalogue(workspace: Workspace): Promise<void> {
  await workspace.files.remove(cataloguePath(workspace))
}

type CatalogueOptions = { readonly isKept: boolean; readonly progress: ReadProgress }

async function extendCatalogue(
  workspace: Workspace,
  ledger: RandomAccessFile,
  { isKept, progress }: CatalogueOptions,
): Promise<LedgerIndex> {
  const { files } = workspace
  const path = cataloguePath(workspace)
  const fileBytes = (await files.read(path).catch(() => null)) ?? Buffer.alloc(0)
  const read = readLedgerIndex(fileBytes)
  let catalogue = (await matchesLedger(read, ledger)) ? read : EMPTY_CATALOGUE
  let bytes = ledgerIndexBytes(catalogue)
  const addedParts: Uint8Array[] = []
  // A part that can't be saved is indexed again the next time.
  const appendToFile = (more: Uint8Array) => files.append(path, Buffer.from(more)).catch(() => {})
  if (isKept && bytes.length < fileBytes.length) await files.remove(path).then(() => appendToFile(bytes))
  for (let more = await nextCataloguePart(catalogue, ledger); more; more = await nextCataloguePart(catalogue, ledger)) {
    if (addedParts.length > 0) progress(catalogue.reached / ledger.size)
    addedParts.push(more)
    bytes = Buffer.concat([bytes, more])
    catalogue = readLedgerIndex(bytes)
  }
  if (isKept && addedParts.length > 0) await appendToFile(Buffer.concat(addedParts))
  return catalogue
}

const EMPTY_CATALOGUE = readLedgerIndex(new Uint8Array())

/** False when the ledger is shorter than the catalogue, or has other bytes at its end: a ledger only grows. */
async function matchesLedger({ reached, tail }: LedgerIndex, ledger: RandomAccessFile): Promise<boolean> {
  return reached <= ledger.size && tail === (await tailHashAt(ledger, reached))
}

async function tailHashAt(ledger: RandomAccessFile, reached: number): Promise<number> {
  return tailHash(await ledger.read(Math.max(0, reached - CATALOGUE_TAIL_BYTES), reached))
}

// A few records: another ledger has other hashes in them.
const CATALOGUE_TAIL_BYTES = 4_096

/** The index of the next whole lines of the ledger; null when there are none. */
async function nextCataloguePart(catalogue: LedgerIndex, ledger: RandomAccessFile): Promise<Uint8Array | null> {
  const from = catalogue.reached
  const bytes = await readWholeLines(ledger, from)
  if (bytes.length === 0) return null
  const firstLine = catalogue.lines + 1
  const reading = readLedger(bytes.toString('utf8'), firstLine)
  const reached = from + bytes.length
  const tail = await tailHashAt(ledger, reached)
  return indexStretch(catalogue, { reading, firstLine, starts: lineStarts(bytes, from), reached, tail })
}

const LF = 0x0a

function lineStarts(bytes: Buffer, from: number): number[] {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at = bytes.indexOf(LF, at) + 1) starts.push(from + at)
  return starts
}

function cataloguePath(workspace: Workspace): string {
  return ownPath(workspace, 'catalogue')
}
