import { join } from 'node:path'
import { headOid } from '../diff/head-oid.ts'
import { withLock } from '../io/lock.ts'
import type { Head } from '../ledger/chain.ts'
import type { Draft } from '../ledger/draft.ts'
import { readLedger } from '../ledger/read.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { seal } from '../ledger/seal.ts'
import { KotefError } from '../report/failure.ts'
import { VERSION } from '../package.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Appends to this worktree's ledger, in order, under its lock. Each record that `acknowledged` was told of survives
 * kill -9, also when a later one fails. `head` is the commit to stamp them with, asked of git when it is not given.
 */
export async function record(
  workspace: Workspace,
  drafts: readonly Draft[],
  { acknowledged = () => {}, head }: { acknowledged?: (record: TraceRecord) => void; head?: string | null } = {},
): Promise<TraceRecord[]> {
  if (drafts.length === 0) return []
  const { own } = placesOf(workspace)
  const revision = head === undefined ? await workspace.git.tryAsk(headOid) : head
  return withLock(join(own, 'ledger.lock'), () => append(workspace, drafts, { revision, acknowledged })).catch(
    (cause: unknown) => {
      if (cause instanceof KotefError) throw cause
      throw new KotefError('ledger-unwritable', `The ledger can't be written: ${String(cause)}`, { cause })
    },
  )
}

async function append(
  workspace: Workspace,
  drafts: readonly Draft[],
  { revision, acknowledged }: { revision: string | null; acknowledged: (record: TraceRecord) => void },
): Promise<TraceRecord[]> {
  const { files, clock } = workspace
  const { ledger } = placesOf(workspace)
  let { head, open } = await endOfChain(workspace)
  const records: TraceRecord[] = []
  try {
    for (const draft of drafts) {
      const { record, line } = seal(draft, {
        id: clock.uuid(),
        timestamp: new Date(clock.now()).toISOString(),
        revision,
        version: VERSION,
        writer: head.writer,
        seq: head.seq + 1,
        prev: head.hash === '' ? null : head.hash,
      })
      // A crash can leave half a line. Closing it loses one record; gluing onto it would lose two.
      await files.append(ledger, Buffer.from(`${open ? '\n' : ''}${line}\n`))
      open = false
      head = record.metadata['dev.kotef']
      records.push(record)
      acknowledged(record)
    }
    if (drafts.some(isWeighty)) await files.sync(ledger)
  } finally {
    if (records.length > 0) await rememberHead(workspace, head)
  }
  return records
}

/** Events that somebody relies on at once; a write's record can be made again from the disk. */
function isWeighty({ event }: Draft): boolean {
  return event.event !== 'write'
}

/** The last link of this worktree's chain, and whether the ledger ends in the middle of a line. */
async function endOfChain(workspace: Workspace): Promise<{ head: Head; open: boolean }> {
  const remembered = await readHead(workspace)
  const writer = remembered?.writer ?? workspace.clock.uuid()
  const { last, open } = await lastRecord(workspace, writer)
  const found = last?.metadata['dev.kotef']
  if (found && found.seq >= (remembered?.seq ?? -1)) return { head: found, open }
  return { head: remembered ?? { writer, seq: -1, hash: '' }, open }
}

async function lastRecord(workspace: Workspace, writer: string): Promise<{ last: TraceRecord | null; open: boolean }> {
  const { ledger } = placesOf(workspace)
  for (let bytesMax = LINE_BYTES; ; bytesMax *= 8) {
    const end = await workspace.files.readEnd(ledger, bytesMax)
    if (!end) return { last: null, open: false }
    const whole = end.bytes.length === end.size
    const { entries } = readLedger(end.bytes.toString('utf8'))
    const last = entries.findLast(({ record }) => record.metadata['dev.kotef'].writer === writer)?.record ?? null
    if (last || whole) return { last, open: end.bytes.length > 0 && end.bytes.at(-1) !== 0x0a }
  }
}

// Most lines are shorter by half.
const LINE_BYTES = 4_096

/** The head that this clone remembers: what the ledger's end is held against. */
export async function readHead(workspace: Workspace): Promise<Head | null> {
  const bytes = await workspace.files.read(join(placesOf(workspace).own, 'head.json'))
  const [, writer, seq, hash] = HEAD.exec(bytes?.toString('utf8') ?? '') ?? []
  return writer && hash ? { writer, seq: Number(seq), hash } : null
}

const HEAD = /"writer":"([^"]+)","seq":(\d+),"hash":"([0-9a-f]{64})"/

async function rememberHead(workspace: Workspace, { writer, seq, hash }: Head): Promise<void> {
  const text = JSON.stringify({ writer, seq, hash })
  await workspace.files.put(join(placesOf(workspace).own, 'head.json'), text)
}
