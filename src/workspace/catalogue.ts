import { join } from 'node:path'
import { withLock } from '../io/lock.ts'
import type { OpenFile } from '../io/stretches.ts'
import { bytesOf, type Catalogue, cataloguedStretch, readCatalogue, tailHash } from '../ledger/catalogue.ts'
import { readLedger } from '../ledger/read.ts'
import { wholeLines } from './whole-lines.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** Told how much of a long ledger has been read, as a share of 1. */
export type Progress = (share: number) => void

/** The catalogue of a ledger up to its last whole line: what is kept of it, and what has been written since. */
export async function freshCatalogue(
  workspace: Workspace,
  ledger: OpenFile,
  progress: Progress = () => {},
): Promise<Catalogue> {
  const { own } = placesOf(workspace)
  const work = () => extended(workspace, ledger, { isKept: true, progress })
  const kept = withLock(join(own, 'catalogue.lock'), work, { waitMsMax: LOCK_MS_MAX })
  // Who may not write there can ask all the same.
  return kept.catch(() => extended(workspace, ledger, { isKept: false, progress }))
}

/** Forgets a catalogue that turned out not to fit. */
export async function dropCatalogue(workspace: Workspace): Promise<void> {
  await workspace.files.remove(pathIn(workspace))
}

// The first one of a million lines takes its time.
const LOCK_MS_MAX = 120_000

type Wish = { readonly isKept: boolean; readonly progress: Progress }

async function extended(workspace: Workspace, ledger: OpenFile, { isKept, progress }: Wish): Promise<Catalogue> {
  const { files } = workspace
  const path = pathIn(workspace)
  const kept = (await files.read(path).catch(() => null)) ?? Buffer.alloc(0)
  const read = readCatalogue(kept)
  let catalogue = (await fits(read, ledger)) ? read : EMPTY
  let bytes = bytesOf(catalogue)
  const added: Uint8Array[] = []
  // What can't be kept is made again the next time.
  const keep = (more: Uint8Array) => files.append(path, Buffer.from(more)).catch(() => {})
  if (isKept && bytes.length < kept.length) await files.remove(path).then(() => keep(bytes))
  for (let more = await nextStretch(catalogue, ledger); more; more = await nextStretch(catalogue, ledger)) {
    if (added.length > 0) progress(catalogue.reached / ledger.size)
    added.push(more)
    bytes = Buffer.concat([bytes, more])
    catalogue = readCatalogue(bytes)
  }
  if (isKept && added.length > 0) await keep(Buffer.concat(added))
  return catalogue
}

const EMPTY = readCatalogue(new Uint8Array())

/** The ledger only grows: one that is shorter, or has other bytes where the catalogue ends, is another one. */
async function fits({ reached, tail }: Catalogue, ledger: OpenFile): Promise<boolean> {
  return reached <= ledger.size && tail === (await tailAt(ledger, reached))
}

async function tailAt(ledger: OpenFile, reached: number): Promise<number> {
  return tailHash(await ledger.read(Math.max(0, reached - TAIL_BYTES), reached))
}

const TAIL_BYTES = 4_096

/** What tells of the next whole lines of the ledger, or null when there are none. */
async function nextStretch(catalogue: Catalogue, ledger: OpenFile): Promise<Uint8Array | null> {
  const from = catalogue.reached
  const bytes = await wholeLines(ledger, from)
  if (bytes.length === 0) return null
  const firstLine = catalogue.lines + 1
  const reading = readLedger(bytes.toString('utf8'), firstLine)
  const reached = from + bytes.length
  const tail = await tailAt(ledger, reached)
  return cataloguedStretch(catalogue, { reading, firstLine, starts: startsIn(bytes, from), reached, tail })
}

const LF = 0x0a

function startsIn(bytes: Buffer, from: number): number[] {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at = bytes.indexOf(LF, at) + 1) starts.push(from + at)
  return starts
}

function pathIn(workspace: Workspace): string {
  return join(placesOf(workspace).own, 'catalogue')
}
