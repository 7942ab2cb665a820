import { readLedger } from '../../../core/ledger/read-ledger.ts'
import { recordFacts } from '../pages/record-facts.ts'
import type { LedgerPart, LiveChange, LiveSource } from './live-source.ts'

/** How a stream begins, and how often it shows that it is alive. */
export type StreamOptions = { readonly from: number; readonly heartbeatMs?: number }

const HEARTBEAT_MS = 15_000

/**
 * The server-sent events of one client: `record` and `violation` with the facts of a record, and as id the byte of the
 * ledger after it; `state` when anything else may have changed, and `gap` when records were left out. A part is made
 * when the client has read the one before, so a slow client fills no memory.
 */
export function liveStream(source: LiveSource, { from, heartbeatMs = HEARTBEAT_MS }: StreamOptions): ReadableStream {
  const frames = liveFrames(source, from, heartbeatMs)
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await frames.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: () => frames.cancel(),
    },
    { highWaterMark: 0 },
  )
}

type Frames = { next(): Promise<IteratorResult<string, void>>; cancel(): void }

/** The texts of a stream, one after the other. */
export function liveFrames(source: LiveSource, from: number, heartbeatMs: number): Frames {
  const waiting = new Set<LiveChange>(['ledger'])
  let wake = (): void => {}
  let isOver = false
  const note = (change: LiveChange): void => {
    waiting.add(change)
    wake()
  }
  const listening = source.listen(note)
  const cancel = (): void => {
    isOver = true
    wake()
    void listening.then(leave => leave())
  }
  async function* frames(): AsyncGenerator<string, void> {
    await listening
    let at = from
    yield 'retry: 1000\n\n'
    while (!isOver) {
      if (waiting.delete('state')) yield 'event: state\ndata: {}\n\n'
      if (waiting.delete('ledger')) {
        for (let part = await source.ledgerPart(at); part.to !== at; part = await source.ledgerPart(at)) {
          yield textOf(part)
          at = part.to
        }
        continue
      }
      if (waiting.size === 0 && !isOver) await untilWoken(heartbeatMs, it => (wake = it))
      if (waiting.size === 0 && !isOver) yield ': alive\n\n'
    }
  }
  const iterator = frames()
  return { next: () => iterator.next(), cancel }
}

function untilWoken(ms: number, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    onWake(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The events of a part of the ledger. A line that is not a record has no event of its own. */
function textOf({ lines, from, to, isGap }: LedgerPart): string {
  if (isGap) return `id: ${to}\nevent: gap\ndata: {}\n\n`
  let at = from
  const events = lines
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => {
      at += Buffer.byteLength(line) + 1
      return eventOf(line, at)
    })
  // Bytes that are not text may change the count, and the end is known.
  return `${events.join('')}id: ${to}\n\n`
}

function eventOf(line: string, id: number): string {
  const [entry] = readLedger(line, 1).entries
  if (!entry) return ''
  const facts = recordFacts(entry.record)
  const kind = facts.event === 'violation' ? 'violation' : 'record'
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(facts)}\n\n`
}
