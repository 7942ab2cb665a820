import { readHead } from '../io/worktree/head.ts'
import { withLock } from '../io/files/lock.ts'
import { closeFastPath } from './close-fast-path.ts'
import { type ChainHead, closedBefore, parseChainHead } from '../../core/ledger/chain.ts'
import type { RecordDraft, TraceRecord } from '../../core/ledger/record.ts'
import { readLedger } from '../../core/ledger/read-ledger.ts'
import { seal } from '../../core/ledger/seal.ts'
import { KotefError } from '../../core/base/failure.ts'
import { VERSION } from '../io/files/package.ts'
import { readFirstRecord } from './first-record.ts'
import { settleLedger } from './locate-ledger.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * Appends records to this worktree's ledger, in order, under its lock. Each record that was passed to `acknowledged`
 * survives kill -9, also when a later one fails. `head` is the commit in the records; without it, git is asked.
 */
export async function appendRecords(
  workspace: Workspace,
  drafts: readonly RecordDraft[],
  { acknowledged = () => {}, head }: { acknowledged?: (record: TraceRecord) => void; head?: string | null } = {},
): Promise<TraceRecord[]> {
  if (drafts.length === 0) return []
  const revision = head === undefined ? await readHead(workspace) : head
  const append = () => appendUnderLock(workspace, drafts, { revision, acknowledged })
  const { parentFolder: makeFolder } = workspace.files
  return withLock(ownPath(workspace, 'ledger.lock'), append, { makeFolder }).catch((cause: unknown) => {
    if (cause instanceof KotefError) throw cause
    throw new KotefError('ledger-unwritable', `The ledger can't be written: ${String(cause)}`, { cause })
  })
}

type AppendTerms = {
  readonly revision: string | null
  readonly acknowledged: (record: TraceRecord) => void
}

async function appendUnderLock(
  workspace: Workspace,
  drafts: readonly RecordDraft[],
  { revision, acknowledged }: AppendTerms,
): Promise<TraceRecord[]> {
  const { files, clock } = workspace
  await closeFastPath(workspace, drafts)
  const ledger = await settleLedger(workspace)
  let { head, open } = await findChainEnd(workspace, ledger)
  const records: TraceRecord[] = []
  const arrived = (part: readonly TraceRecord[]): void => {
    for (const record of part) {
      head = record.metadata['dev.kotef']
      records.push(record)
      acknowledged(record)
    }
  }
  try {
    for (let n = 0; n < drafts.length; n += RECORDS_PER_WRITE) {
      const sealed = sealAfter(head, drafts.slice(n, n + RECORDS_PER_WRITE), { clock, revision })
      // A crash can leave half a line. Closing it loses one record; gluing onto it would lose two.
      const text = [...(open ? [''] : []), ...sealed.map(it => it.line), ''].join('\n')
      // A ledger that is missing now went with its git directory; another repository may be in its place.
      await files.append(ledger, Buffer.from(text), { creates: false }).catch(async (thrown: unknown) => {
        arrived(await recordsInLedger(workspace, ledger, sealed))
        throw thrown
      })
      open = false
      arrived(sealed.map(it => it.record))
    }
    if (drafts.some(needsSync)) await files.sync(ledger)
  } finally {
    if (records.length > 0) await saveChainHead(workspace, head)
  }
  return records
}

// Each write is short enough to be over at once, and a crash loses no more than these.
const RECORDS_PER_WRITE = 100

type SealedRecord = ReturnType<typeof seal>

function sealAfter(
  head: ChainHead,
  drafts: readonly RecordDraft[],
  { clock, revision }: Pick<Workspace, 'clock'> & Pick<AppendTerms, 'revision'>,
): SealedRecord[] {
  let last = head
  return drafts.map(draft => {
    const { writer, seq, hash } = last
    const stamp = {
      id: draft.id ?? clock.uuid(),
      timestamp: new Date(clock.now()).toISOString(),
      revision,
      version: VERSION,
    }
    const sealed = seal(draft, { ...stamp, writer, seq: seq + 1, prev: hash === '' ? null : hash })
    last = sealed.record.metadata['dev.kotef']
    return sealed
  })
}

// A write that failed may have reached the disk in part. What arrived is not recorded again.
async function recordsInLedger(
  { files }: Workspace,
  ledger: string,
  sealed: readonly SealedRecord[],
): Promise<TraceRecord[]> {
  const bytes = sealed.reduce((sum, it) => sum + Buffer.byteLength(it.line) + 1, 0)
  const end = await files.readEnd(ledger, bytes).catch(() => null)
  const lines = new Set(end?.bytes.toString('utf8').split('\n'))
  return sealed.filter(it => lines.has(it.line)).map(it => it.record)
}

/** True for an event that others rely on at once. A write's record is not synced: the disk shows the write again. */
function needsSync({ event }: RecordDraft): boolean {
  return event.event !== 'write'
}

/** The last link of this worktree's chain, and whether the ledger ends in the middle of a line. */
async function findChainEnd(workspace: Workspace, ledger: string): Promise<{ head: ChainHead; open: boolean }> {
  const saved = await readChainHead(workspace)
  const end = await findEndOfWriter(workspace, ledger, saved)
  if (end.isFound || saved === null) return end
  // A crash while a ledger was closed left its head.
  const first = await readFirstRecord(workspace)
  if (!first || closedBefore({ line: 1, record: first })?.writer !== saved.writer) return end
  return findEndOfWriter(workspace, ledger, first.metadata['dev.kotef'])
}

async function findEndOfWriter(workspace: Workspace, ledger: string, saved: ChainHead | null) {
  const writer = saved?.writer ?? workspace.clock.uuid()
  const { last, open } = await lastRecordOf(workspace, ledger, writer)
  const found = last?.metadata['dev.kotef']
  if (found && found.seq >= (saved?.seq ?? -1)) return { head: found, open, isFound: true }
  return { head: saved ?? { writer, seq: -1, hash: '' }, open, isFound: found !== undefined }
}

async function lastRecordOf(
  { files }: Workspace,
  ledger: string,
  writer: string,
): Promise<{ last: TraceRecord | null; open: boolean }> {
  for (let bytesMax = TAIL_BYTES_MIN; ; bytesMax *= 8) {
    const end = await files.readEnd(ledger, bytesMax)
    if (!end) return { last: null, open: false }
    const whole = end.bytes.length === end.size
    const { entries } = readLedger(end.bytes.toString('utf8'))
    const last = entries.findLast(({ record }) => record.metadata['dev.kotef'].writer === writer)?.record ?? null
    if (last || whole) return { last, open: end.bytes.length > 0 && end.bytes.at(-1) !== 0x0a }
  }
}

// Most lines are shorter than half of this.
const TAIL_BYTES_MIN = 4_096

/** The saved head of this worktree's chain. The end of the ledger is compared with it. */
export async function readChainHead(workspace: Workspace): Promise<ChainHead | null> {
  const bytes = await workspace.files.read(ownPath(workspace, 'head.json'))
  return parseChainHead(bytes?.toString('utf8') ?? '')
}

/** Saves the head of this worktree's chain. For the holder of the ledger's lock. */
export async function saveChainHead(workspace: Workspace, { writer, seq, hash }: ChainHead): Promise<void> {
  const text = JSON.stringify({ writer, seq, hash })
  await workspace.files.put(ownPath(workspace, 'head.json'), text)
}
