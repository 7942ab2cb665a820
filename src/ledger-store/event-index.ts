import { openRandomAccessFile, type RandomAccessFile } from '../io/files/random-access-file.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { tailHashAt } from './build-segments.ts'
import { locateLedger } from './locate-ledger.ts'
import { readWholeLines } from './read-whole-lines.ts'

type EventName = LedgerEvent['event']

/** The records of some rare events of a worktree's ledger, in its order. */
export type EventIndex = {
  /** The records up to now: only what was appended since the last call is read. `progress` is the share of it. */
  read(progress: (share: number) => void): Promise<readonly TraceRecord[]>
}

/** A ledger up to a byte. A ledger that does not begin with the same bytes is another one. */
type IndexedPart = { readonly to: number; readonly tail: number }

const NOTHING: IndexedPart = { to: 0, tail: 0 }

/** Opens an index of events. The catalogue has none: these are few, and found by their names in the bytes of lines. */
export function openEventIndex(workspace: Workspace, events: readonly EventName[]): EventIndex {
  const wanted: ReadonlySet<string> = new Set(events)
  const words = events.map(it => Buffer.from(`"${it}"`))
  let part = NOTHING
  let records = new Map<string, TraceRecord>()
  return {
    async read(progress) {
      await using ledger = await openRandomAccessFile((await locateLedger(workspace)).path)
      const isSame = ledger !== null && (part.to === 0 || (await tailHashAt(ledger, part.to)) === part.tail)
      if (!isSame) [part, records] = [NOTHING, new Map()]
      if (ledger === null) return []
      for await (const { bytes, to } of newLines(ledger, part.to)) {
        for (const text of linesWithWords(bytes, words))
          for (const it of eventsIn(text)) if (wanted.has(eventOf(it)) && !records.has(it.id)) records.set(it.id, it)
        part = { ...part, to }
        progress(to / ledger.size)
      }
      part = { ...part, tail: await tailHashAt(ledger, part.to) }
      return [...records.values()]
    },
  }
}

async function* newLines(ledger: RandomAccessFile, from: number) {
  let to = from
  for (let bytes = await readWholeLines(ledger, to); bytes.length > 0; bytes = await readWholeLines(ledger, to)) {
    to += bytes.length
    yield { bytes, to }
  }
}

/** The lines that have any of some words, each once. A quote in a JSON string is escaped, so few others have one. */
function linesWithWords(bytes: Buffer, words: readonly Buffer[]): string[] {
  const starts = new Set<number>()
  for (const word of words) {
    for (let at = bytes.indexOf(word); at >= 0;) {
      starts.add(bytes.lastIndexOf(LF, at) + 1)
      const end = bytes.indexOf(LF, at)
      at = end < 0 ? -1 : bytes.indexOf(word, end)
    }
  }
  return [...starts].sort((a, b) => a - b).map(it => bytes.toString('utf8', it, bytes.indexOf(LF, it) + 1))
}

const LF = 0x0a

function eventsIn(line: string): TraceRecord[] {
  return readLedger(line).entries.map(it => it.record)
}

function eventOf(record: TraceRecord): string {
  return record.metadata['dev.kotef'].event
}
