import { setImmediate as nextTurn } from 'node:timers/promises'
import { isBinary } from '../../../core/base/lines.ts'
import { commonHunks, type Hunk } from '../../../core/git/diff/hunks.ts'
import type { RecordDraft, TracedChange } from '../../../core/ledger/record.ts'
import type { WriteSource } from '../../../core/ledger/event.ts'
import { tracedRanges, removedRanges, tracedFile, wholeHunk } from '../../../core/ledger/traced-file.ts'
import { textHunks } from './text-hunks.ts'
import type { Write } from './inspect.ts'
import type { RecorderContext } from './recorder-context.ts'
import { bytesBefore } from './bytes-before.ts'
import { pairMoves } from './pair-moves.ts'
import { sortedInTurns } from './turns.ts'
import type { AuthorLookup } from './authors.ts'

/** A draft of a record, and the writes that it describes: two for a rename. */
export type WriteDraft = { readonly draft: RecordDraft; readonly writes: readonly Write[] }

/** A write of one file, or the two ends of a rename: what one record describes. */
export type Change = {
  readonly from: Write | null
  readonly to: Write
  /** Removed files, besides `from`, of which the written one has lines. */
  readonly origins: readonly string[]
}

/** The changes that writes make, in the order in which the files were written: watchers report two folders in any. */
export async function changesOf(context: RecorderContext, writes: readonly Write[]): Promise<Change[]> {
  const { froms, origins } = await pairMoves(context, writes)
  const paired = new Set(froms.values())
  await nextTurn()
  const changes = writes
    .filter(it => !paired.has(it))
    .map(to => ({ from: froms.get(to) ?? null, to, origins: (origins.get(to) ?? []).map(it => it.path) }))
  return sortedInTurns(changes, ({ to }) => to.file?.modifiedAt ?? 0)
}

/** Makes drafts of records: diffs texts, hashes ranges, and finds the authors. */
export async function writeDrafts(
  context: RecorderContext,
  { changes, authors, source }: { changes: readonly Change[]; authors: AuthorLookup; source: WriteSource },
): Promise<WriteDraft[]> {
  const hunks = await diffWrites(context, changes.map(comparedWrite))
  const draft = async (write: Write, change: TracedChange, added: readonly Hunk[]): Promise<RecordDraft> => {
    const { attribution, doubt, agents, handover, ...credit } = await authors.authorOf(write)
    const about = { ...(doubt && { doubt }), ...(agents && { agents }), ...(handover && { handover }) }
    const bytes = write.file?.bytes
    const ranges = bytes ? tracedRanges(bytes, added, context.hasher) : []
    return {
      event: { event: 'write', attribution, source, ...about },
      files: [tracedFile(write.path, change, { ranges, credit })],
    }
  }
  return Promise.all(
    changes.map(async (change, n) => {
      const { from, to } = change
      const found = hunks[n] ?? { added: [], before: null, opaque: undefined }
      return { draft: await draft(to, fileChange(change, found), found.added), writes: from ? [from, to] : [to] }
    }),
  )
}

// A renamed file is compared with what it was under its old path.
function comparedWrite({ from, to }: Change): Write {
  return from ? { ...to, path: from.path, before: from.before, restored: [] } : to
}

type DiffResult = {
  readonly added: readonly Hunk[]
  readonly before: string | null
  readonly opaque: TracedChange['opaque'] | undefined
}

function fileChange(change: Change, { added, before: oid, opaque }: DiffResult): TracedChange {
  const { from, origins } = change
  const { before, after } = comparedWrite(change)
  return {
    op: from ? 'rename' : before === null ? 'create' : after === null ? 'delete' : 'modify',
    ...(from ? { from: from.path } : {}),
    before: oid,
    after: after?.oid ?? null,
    removed: removedRanges(added),
    ...modeChange(before?.mode ?? null, after?.mode ?? null),
    ...(opaque === undefined ? {} : { opaque }),
    ...(origins.length === 0 ? {} : { origins }),
  }
}

function modeChange(before: string | null, after: string | null): Pick<TracedChange, 'mode'> {
  const ordinary = [before, after].every(it => it === null || it === '100644')
  return ordinary ? {} : { mode: { before, after } }
}

/** The hunks of all writes, in one git process. */
async function diffWrites(context: RecorderContext, writes: readonly Write[]): Promise<DiffResult[]> {
  const inputs = await Promise.all(writes.map(it => diffInput(context, it)))
  const pairs = inputs.flatMap(({ pair, others }) => (pair ? [pair, ...others.map(it => it.pair)] : []))
  const found = (await textHunks(context.workspace, pairs)).values()
  const next = (): readonly Hunk[] => found.next().value ?? []
  return inputs.map(({ pair, others, ...whole }) => {
    const known = pair ? { ...whole, added: next() } : whole
    return others.reduce<DiffResult>((all, { before }) => withoutRestoredLines(all, { added: next(), before }), known)
  })
}

// The file may have had several contents before the write. Only lines that are new against all of them were written.
// When the lines that are new against the restored content are new against the known one too, git restored it before.
function withoutRestoredLines(known: DiffResult, restored: Pick<DiffResult, 'added' | 'before'>): DiffResult {
  const both = commonHunks(known.added, restored.added)
  return addedLineCount(both) === addedLineCount(restored.added) ? { ...known, ...restored } : { ...known, added: both }
}

function addedLineCount(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, it) => sum + it.addedLines, 0)
}

type TextPair = { readonly before: Buffer; readonly after: Buffer }
type DiffInput = DiffResult & {
  readonly pair: TextPair | null
  /** The same write, compared with contents that git may have restored before it; none without a pair. */
  readonly others: readonly { readonly pair: TextPair; readonly before: string }[]
}

/** The texts that a write is compared by: two texts, one whole text, or none when a side has no lines. */
async function diffInput(context: RecorderContext, write: Write): Promise<DiffInput> {
  const { before, after, file } = write
  const whole = { before: before?.oid ?? null, pair: null, opaque: undefined, others: [] }
  if (before?.oid === after?.oid) return { ...whole, added: [] }
  if (before?.mode === '120000' || after?.mode === '120000') return { ...whole, added: [], opaque: 'symlink' }
  const now = file?.bytes ?? null
  if (file && !now) return { ...whole, added: [], opaque: 'oversized' }
  const opaque = now && opaqueReason(now, context.textBytesMax)
  if (opaque) return { ...whole, added: [], opaque }
  if (before === null) return { ...whole, added: wholeHunk(null, now) }
  const then = await bytesBefore(context, { path: write.path, oid: before.oid }, now)
  if (then === null) return { ...whole, added: [], opaque: 'unknown-before' }
  const binary = opaqueReason(then.bytes, context.textBytesMax)
  if (binary)
    return { ...whole, before: then.oid, added: now ? wholeHunk(null, now) : [], opaque: now ? undefined : binary }
  if (now === null) return { ...whole, before: then.oid, added: wholeHunk(then.bytes, null) }
  const others = await restoredInputs(context, write, now)
  return { added: [], before: then.oid, opaque: undefined, pair: { before: then.bytes, after: now }, others }
}

async function restoredInputs(context: RecorderContext, { path, before, after, restored }: Write, now: Buffer) {
  const others = [...new Set(restored)].filter(oid => oid !== before?.oid && oid !== after?.oid)
  const bytes = await Promise.all(others.map(oid => bytesBefore(context, { path, oid }, now)))
  return bytes.flatMap(then => (then ? [{ pair: { before: then.bytes, after: now }, before: then.oid }] : []))
}

function opaqueReason(bytes: Buffer, bytesMax: number): 'binary' | 'oversized' | null {
  if (isBinary(bytes)) return 'binary'
  return bytes.length > bytesMax ? 'oversized' : null
}
