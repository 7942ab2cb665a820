import { Worker } from 'node:worker_threads'
import { fileOfInstalledPackage } from '../io/files/package.ts'
import type { CatalogueSegment } from '../../core/ledger/catalogue-segment.ts'
import { knownIds, tailHashAt } from './build-segments.ts'
import { linesIn } from './catalogue-folder.ts'
import type { OpenLedger } from './open-ledger.ts'
import type { OpenSegment } from './open-segment.ts'
import type { StretchMessage, StretchWork } from './stretch-thread.ts'
import { type Stretch, stretchesAfter } from './stretches.ts'

/** The segments of a long ledger's stretches, which threads make side by side. */
export type SideBySide = AsyncDisposable & {
  /** The segment of the stretch that follows some segments; null when there is none that can follow them. */
  after(segments: readonly OpenSegment[]): Promise<CatalogueSegment | null>
  /** Where the first stretch after a byte begins, or the ledger ends. */
  nextStretch(after: number): number
}

type Terms = {
  /** The first byte to scan. */
  readonly from: number
  /** Called with the bytes that were read so far, of all stretches. */
  readonly progress: (bytes: number) => void
}

/** Begins to scan the rest of a ledger. A short one has no stretches. */
export async function scanSideBySide(ledger: OpenLedger, { from, progress }: Terms): Promise<SideBySide> {
  const { stretches, threads } = await stretchesAfter(ledger, from)
  const read = new Map<number, number>()
  const onRead = (at: number, bytes: number): void => {
    read.set(at, bytes)
    progress([...read.values()].reduce((sum, it) => sum + it, 0))
  }
  const shares = Array.from({ length: threads }, (_, n) => stretches.filter((_, m) => m % threads === n))
  const running = shares
    .filter(it => it.length > 0)
    .flatMap(it => tryStartThread({ path: ledger.path, parts: ledger.parts, stretches: it }, onRead))
  const made = new Map(running.flatMap(it => [...it.made]))
  return {
    async after(segments) {
      const at = segments.at(-1)?.to ?? 0
      const segment = (await made.get(at)) ?? null
      return segment && placedAfter(segments, ledger, segment)
    },
    nextStretch: after => stretches.find(it => it.from > after)?.from ?? ledger.size,
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map(it => it.thread.terminate()))
    },
  }
}

type Running = { readonly thread: Worker; readonly made: ReadonlyMap<number, Promise<CatalogueSegment | null>> }

type OnRead = (at: number, bytes: number) => void

// Where no thread can be started, who asks scans all by itself.
function tryStartThread(work: StretchWork, onRead: OnRead): Running[] {
  try {
    return [startThread(work, onRead)]
  } catch {
    return []
  }
}

/** Starts a thread, by the built program also when the caller runs from source. What it can't make is null. */
function startThread(work: StretchWork, onRead: OnRead): Running {
  const thread = new Worker(fileOfInstalledPackage('dist/stretch-thread.cjs'), { workerData: work })
  const settle = new Map<number, (segment: CatalogueSegment | null) => void>()
  const madeOf = ({ from }: Stretch) =>
    new Promise<CatalogueSegment | null>(resolve => {
      settle.set(from, resolve)
    })
  const made = new Map(work.stretches.map(it => [it.from, madeOf(it)]))
  thread.on('message', (message: StretchMessage) => {
    if (message.type === 'read') onRead(message.from, message.bytes)
    else settle.get(message.from)?.(message.segment)
  })
  // Who asks scans the rest by itself, and meets the same failure if it is one of the disk.
  thread.on('error', () => {})
  thread.on('exit', () => settle.forEach(it => it(null)))
  return { thread, made }
}

/** A stretch's segment in its place; null when the ledger has other bytes there, or when an id was there before. */
async function placedAfter(
  before: readonly OpenSegment[],
  ledger: OpenLedger,
  segment: CatalogueSegment,
): Promise<CatalogueSegment | null> {
  const from = before.at(-1)?.to ?? 0
  const placed = { ...segment, from, to: from + segment.to, linesBefore: linesIn(before) }
  if ((await tailHashAt(ledger, placed.to)) !== segment.tail) return null
  return (await knownIds(segment.ids, before)).length > 0 ? null : placed
}
