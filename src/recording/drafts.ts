import { blobOid } from '../diff/blob.ts'
import { isBinary } from '../diff/lines.ts'
import type { Hunk } from '../diff/hunks.ts'
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
  const draft = (write: Write, change: FileChange, added: readonly Hunk[]): Draft => {
    const { attribution, ...credit } = witnesses.credit(write.path)
    const ranges = write.standing ? rangesOf(write.standing.bytes, added, observer.hasher) : []
    return {
      event: { event: 'write', attribution, source },
      files: [tracedFile(write.path, change, { ranges, credit })],
    }
  }
  return [
    ...renames.map(({ from, to }) => ({ draft: draft(to, renameOf(from, to), []), writes: [from, to] })),
    ...others.map((write, n) => {
      const { added, before, opaque } = hunks[n] ?? { added: [], before: null, opaque: undefined }
      return { draft: draft(write, changeOf(write, { added, before, opaque }), added), writes: [write] }
    }),
  ]
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

async function hunksOfAll(observer: Observer, writes: readonly Write[]): Promise<Diffed[]> {
  const sides = await Promise.all(writes.map(it => sidesOf(observer, it)))
  const pairs = sides.filter(it => it.pair !== null).map(it => it.pair!)
  const found = await hunksOf(observer.workspace, pairs)
  let n = 0
  return sides.map(it => ({ added: it.pair ? (found[n++] ?? []) : it.added, before: it.before, opaque: it.opaque }))
}

type Sides = Diffed & { readonly pair: { readonly before: Buffer; readonly after: Buffer } | null }

/** What there is to compare in a write: two texts, one whole text, or nothing that has lines. */
async function sidesOf(observer: Observer, write: Write): Promise<Sides> {
  const { before, after, standing } = write
  const whole = { before: before?.oid ?? null, pair: null, opaque: undefined }
  if (before?.oid === after?.oid) return { ...whole, added: [] }
  if (before?.mode === '120000' || after?.mode === '120000') return { ...whole, added: [], opaque: 'symlink' }
  const now = standing?.bytes ?? null
  const opaque = now && opaqueBytes(now, observer.textBytesMax)
  if (opaque) return { ...whole, added: [], opaque }
  if (before === null) return { ...whole, added: wholeHunk(null, now) }
  const then = await bytesBefore(observer, { path: write.path, oid: before.oid }, now)
  if (then === null) return { ...whole, added: [], opaque: 'unknown-before' }
  const binary = opaqueBytes(then.bytes, observer.textBytesMax)
  if (binary)
    return { ...whole, before: then.oid, added: now ? wholeHunk(null, now) : [], opaque: now ? undefined : binary }
  if (now === null) return { ...whole, before: then.oid, added: wholeHunk(then.bytes, null) }
  return { added: [], before: then.oid, opaque: undefined, pair: { before: then.bytes, after: now } }
}

function opaqueBytes(bytes: Buffer, bytesMax: number): 'binary' | 'oversized' | null {
  if (isBinary(bytes)) return 'binary'
  return bytes.length > bytesMax ? 'oversized' : null
}

/** What a file held before, as it stood on disk: git may have put CRLF where its blob has LF. */
async function bytesBefore(
  { workspace, blobs }: Observer,
  { path, oid }: { path: string; oid: string },
  now: Buffer | null,
) {
  const kept = await readSnapshot(workspace, oid)
  if (kept) return { bytes: kept, oid }
  const blob = await blobs.read(oid)
  const filtered = blob && now?.includes('\r\n') && !blob.includes('\r') ? await blobs.checkedOut(oid, path) : null
  return blob && { bytes: filtered ?? blob, oid: filtered ? blobOid(filtered) : oid }
}
