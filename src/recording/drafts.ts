import { blobOid } from '../diff/blob.ts'
import { isBinary } from '../diff/lines.ts'
import type { Hunk } from '../diff/hunks.ts'
import { inCommon } from '../diff/in-common.ts'
import type { Draft } from '../ledger/draft.ts'
import type { Source } from '../ledger/event.ts'
import type { FileChange } from '../ledger/record.ts'
import { rangesOf, removedBy, tracedFile, wholeHunk } from '../ledger/traced-file.ts'
import { hunksOf } from './hunks.ts'
import type { Write } from './look.ts'
import type { Observer } from './observer.ts'
import { isMove } from './other-ends.ts'
import { readSnapshot } from './snapshots.ts'
import type { Witnesses } from './witnesses.ts'

/** A record to be, and the writes that it tells of (two for a rename). */
export type TracedWrites = { readonly draft: Draft; readonly writes: readonly Write[] }

/** Turns writes into records: renames paired, texts diffed, ranges hashed, authors named. */
export async function draftsOf(
  observer: Observer,
  { writes, witnesses, source }: { writes: readonly Write[]; witnesses: Witnesses; source: Source },
): Promise<TracedWrites[]> {
  const { renames, others } = pairRenames(writes)
  const hunks = await hunksOfAll(observer, others)
  const draft = async (write: Write, change: FileChange, added: readonly Hunk[]): Promise<Draft> => {
    const { attribution, ...credit } = await witnesses.credit(write)
    const bytes = write.standing?.bytes
    const ranges = bytes ? rangesOf(bytes, added, observer.hasher) : []
    return {
      event: { event: 'write', attribution, source },
      files: [tracedFile(write.path, change, { ranges, credit })],
    }
  }
  return Promise.all([
    ...renames.map(async ({ from, to }) => ({ draft: await draft(to, renameOf(from, to), []), writes: [from, to] })),
    ...others.map(async (write, n) => {
      const { added, before, opaque } = hunks[n] ?? { added: [], before: null, opaque: undefined }
      return { draft: await draft(write, changeOf(write, { added, before, opaque }), added), writes: [write] }
    }),
  ])
}

type Diffed = {
  readonly added: readonly Hunk[]
  readonly before: string | null
  readonly opaque: FileChange['opaque'] | undefined
}

function changeOf({ before, after }: Write, { added, before: oid, opaque }: Diffed): FileChange {
  return {
    op: before === null ? 'create' : after === null ? 'delete' : 'modify',
    before: oid,
    after: after?.oid ?? null,
    removed: removedBy(added),
    ...modeOf(before?.mode ?? null, after?.mode ?? null),
    ...(opaque === undefined ? {} : { opaque }),
  }
}

function renameOf(from: Write, to: Write): FileChange {
  const oid = to.after?.oid ?? null
  const mode = modeOf(from.before?.mode ?? null, to.after?.mode ?? null)
  return { op: 'rename', from: from.path, before: oid, after: oid, removed: [], ...mode }
}

function modeOf(before: string | null, after: string | null): Pick<FileChange, 'mode'> {
  const ordinary = [before, after].every(it => it === null || it === '100644')
  return ordinary ? {} : { mode: { before, after } }
}

function pairRenames(writes: readonly Write[]) {
  const gone = writes.filter(it => it.after === null)
  const renames: { from: Write; to: Write }[] = []
  for (const to of writes.filter(it => it.before === null)) {
    const n = gone.findIndex(from => isMove(from, to))
    const [from] = n === -1 ? [] : gone.splice(n, 1)
    if (from) renames.push({ from, to })
  }
  const paired = new Set(renames.flatMap(it => [it.from, it.to]))
  return { renames, others: writes.filter(it => !paired.has(it)) }
}

/** The hunks of all writes, in one git process. */
async function hunksOfAll(observer: Observer, writes: readonly Write[]): Promise<Diffed[]> {
  const sides = await Promise.all(writes.map(it => sidesOf(observer, it)))
  const pairs = sides.flatMap(({ pair, others }) => (pair ? [pair, ...others.map(it => it.pair)] : []))
  const found = (await hunksOf(observer.workspace, pairs)).values()
  const next = (): readonly Hunk[] => found.next().value ?? []
  return sides.map(({ pair, others, ...whole }) => {
    const known = pair ? { ...whole, added: next() } : whole
    return others.reduce<Diffed>((all, { before }) => settledWith(all, { added: next(), before }), known)
  })
}

// Several contents may have stood here before the write. Only what is new to all was written; where all that is new to
// what git brought back is new to the others as well, git brought it back.
function settledWith(known: Diffed, restored: Pick<Diffed, 'added' | 'before'>): Diffed {
  const both = inCommon(known.added, restored.added)
  return countOf(both) === countOf(restored.added) ? { ...known, ...restored } : { ...known, added: both }
}

function countOf(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, it) => sum + it.addedLines, 0)
}

type Pair = { readonly before: Buffer; readonly after: Buffer }
type Sides = Diffed & {
  readonly pair: Pair | null
  /** The same write seen from what git may have brought back; nothing without a pair. */
  readonly others: readonly { readonly pair: Pair; readonly before: string }[]
}

/** What there is to compare in a write: two texts, one whole text, or nothing that has lines. */
async function sidesOf(observer: Observer, write: Write): Promise<Sides> {
  const { before, after, standing } = write
  const whole = { before: before?.oid ?? null, pair: null, opaque: undefined, others: [] }
  if (before?.oid === after?.oid) return { ...whole, added: [] }
  if (before?.mode === '120000' || after?.mode === '120000') return { ...whole, added: [], opaque: 'symlink' }
  const now = standing?.bytes ?? null
  if (standing && !now) return { ...whole, added: [], opaque: 'oversized' }
  const opaque = now && opaqueBytes(now, observer.textBytesMax)
  if (opaque) return { ...whole, added: [], opaque }
  if (before === null) return { ...whole, added: wholeHunk(null, now) }
  const then = await bytesBefore(observer, { path: write.path, oid: before.oid }, now)
  if (then === null) return { ...whole, added: [], opaque: 'unknown-before' }
  const binary = opaqueBytes(then.bytes, observer.textBytesMax)
  if (binary)
    return { ...whole, before: then.oid, added: now ? wholeHunk(null, now) : [], opaque: now ? undefined : binary }
  if (now === null) return { ...whole, before: then.oid, added: wholeHunk(then.bytes, null) }
  const others = await restoredSides(observer, write, now)
  return { added: [], before: then.oid, opaque: undefined, pair: { before: then.bytes, after: now }, others }
}

async function restoredSides(observer: Observer, { path, before, after, restored }: Write, now: Buffer) {
  const others = [...new Set(restored)].filter(oid => oid !== before?.oid && oid !== after?.oid)
  const sides = await Promise.all(others.map(oid => bytesBefore(observer, { path, oid }, now)))
  return sides.flatMap(then => (then ? [{ pair: { before: then.bytes, after: now }, before: then.oid }] : []))
}

function opaqueBytes(bytes: Buffer, bytesMax: number): 'binary' | 'oversized' | null {
  if (isBinary(bytes)) return 'binary'
  return bytes.length > bytesMax ? 'oversized' : null
}

/** What a file held before, as it stood on disk: git may have put CRLF where its blob has LF. */
async function bytesBefore(
  observer: Observer,
  { path, oid }: { path: string; oid: string },
  now: Buffer | null,
): Promise<{ bytes: Buffer; oid: string } | null> {
  const { workspace, blobs } = observer
  const kept = await readSnapshot(workspace, oid)
  if (kept) return { bytes: kept, oid }
  const blob = await blobs.read(oid)
  if (!blob) return checkedOutAs(observer, { path, oid })
  const filtered = now?.includes('\r\n') && !blob.includes('\r') ? await blobs.checkedOut(oid, path) : null
  return { bytes: filtered ?? blob, oid: filtered ? blobOid(filtered) : oid }
}

// What git checked out through a filter is in neither place, but git can make it again.
async function checkedOutAs({ memory, blobs }: Observer, { path, oid }: { path: string; oid: string }) {
  const entry = memory.index.get(path)
  const bytes = entry ? await blobs.checkedOut(entry.oid, path) : null
  return bytes && blobOid(bytes) === oid ? { bytes, oid } : null
}
