import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { signatureAt, sizeAt } from '../io/worktree.ts'
import type { Source } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { type Bracket, gitActivity, indexBracket, indexIsLocked } from '../recording/git-activity.ts'
import { refreshIndex } from '../recording/memory.ts'
import { observe } from '../recording/observe.ts'
import type { Observer } from '../recording/observer.ts'
import { nextDueAt, notice, type Patience, restMsOf, type Settling, takeDue, type Waiting } from './settle.ts'

export type Reports = {
  readonly recorded: (records: readonly TraceRecord[]) => void
  /** Something could not be written or read; it is tried again. */
  readonly failed: (reason: unknown) => void
}

/** Takes signs of life, waits until they settle, and has them observed, one batch after the other. */
export class Worker {
  readonly #observer: Observer
  readonly #patience: Patience
  readonly #reports: Reports
  readonly #settling: Settling = new Map()
  readonly #sources = new Map<string, Source>()
  #brackets: Bracket[] = []
  #indexSignature: string | null = null
  #indexMoved = true
  #running: Promise<void> | null = null
  #closed = false
  #timer: NodeJS.Timeout | null = null

  constructor(observer: Observer, { patience, reports }: { patience: Patience; reports: Reports }) {
    this.#observer = observer
    this.#patience = patience
    this.#reports = reports
  }

  /** A path may have changed. */
  noticed(path: string, source: Source = 'daemon'): void {
    if (source !== 'daemon') this.#sources.set(path, source)
    notice(this.#settling, path, this.#now())
    this.#schedule()
  }

  /** Git's index may have changed: takes down when, before the next change hides it. */
  async indexMoved(): Promise<void> {
    const bracket = await indexBracket(this.#observer.workspace)
    const lately = this.#brackets.filter(it => it.to > this.#now() - BRACKET_MS && it.to !== bracket?.to)
    this.#brackets = bracket ? [...lately, bracket] : lately
    this.#indexMoved = true
    this.#schedule()
  }

  /** Resolves when nothing is waiting any more, or at a time (milliseconds since 1970): true when nothing is. */
  async idle(until: number): Promise<boolean> {
    for (let due = this.#dueAt(); due !== null || this.#running; due = this.#dueAt()) {
      if (this.#closed || this.#now() > until) return false
      if (this.#running) await Promise.race([this.#running, atMost(until - this.#now())])
      else await delay(Math.max(0, Math.min(due ?? 0, until + 1) - this.#now())).then(() => this.#run())
    }
    return true
  }

  /** Takes on nothing more. */
  [Symbol.dispose](): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #now(): number {
    return this.#observer.workspace.clock.now()
  }

  #dueAt(): number | null {
    return nextDueAt(this.#settling, this.#patience) ?? (this.#indexMoved ? this.#now() + this.#patience.quietMs : null)
  }

  #schedule(): void {
    const due = this.#dueAt()
    if (due === null || this.#running || this.#timer || this.#closed) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, due - this.#now()))
  }

  #run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#running ??= this.#batch()
      .catch(reason => this.#reports.failed(reason))
      .finally(() => {
        this.#running = null
        this.#schedule()
      })
    return this.#running
  }

  async #batch(): Promise<void> {
    // Git is at work: what it leaves behind can only be judged when it is done.
    if (await indexIsLocked(this.#observer.workspace)) return this.#holdBack()
    await this.#followIndex()
    const paths = await this.#rested(takeDue(this.#settling, this.#now(), this.#patience))
    for (const [source, group] of grouped(paths, it => this.#sources.get(it) ?? 'daemon')) {
      await this.#observe(group, source)
    }
  }

  async #observe(paths: readonly string[], source: Source): Promise<void> {
    for (const path of paths) this.#sources.delete(path)
    try {
      const lately = this.#brackets.filter(it => it.to > this.#now() - BRACKET_MS)
      const brackets = source === 'catch-up' ? [ALWAYS] : lately
      const activity = await gitActivity(this.#observer.workspace, brackets)
      const { records, torn } = await observe(this.#observer, { paths, activity, source })
      for (const path of torn) this.noticed(path, source)
      if (records.length > 0) this.#reports.recorded(records)
    } catch (reason) {
      for (const path of paths) this.#waitOn(path, { firstAt: this.#now(), lastAt: this.#now(), restMs: RETRY_MS })
      this.#reports.failed(reason)
    }
  }

  #holdBack(): void {
    for (const [path, waiting] of this.#settling)
      this.#waitOn(path, { ...waiting, firstAt: this.#now(), lastAt: this.#now() })
  }

  #waitOn(path: string, waiting: Waiting): void {
    if (!this.#settling.has(path) || waiting.restMs === 0) this.#settling.set(path, waiting)
  }

  /** What the index says of paths may have changed; those are looked at, whether or not an event tells of them. */
  async #followIndex(): Promise<void> {
    if (!this.#indexMoved) return
    this.#indexMoved = false
    const { workspace, memory } = this.#observer
    const signature = await signatureAt(join(workspace.gitDir, 'index'))
    if (signature === this.#indexSignature) return
    this.#indexSignature = signature
    for (const path of await refreshIndex(workspace, memory)) notice(this.#settling, path, this.#now())
  }

  /** Of settled paths, those that have rested as long as their size asks for; the others wait on. */
  async #rested(due: readonly [string, Waiting][]): Promise<string[]> {
    const ready: string[] = []
    for (const [path, waiting] of due) {
      const found = await sizeAt(join(this.#observer.workspace.root, path))
      const restMs = found ? restMsOf(found.bytes, this.#patience.quietMs) : 0
      const impatient = this.#now() - waiting.firstAt >= this.#patience.waitMsMax
      if (!found || impatient || this.#now() - found.modifiedAt >= restMs) ready.push(path)
      else this.#waitOn(path, { firstAt: waiting.firstAt, lastAt: found.modifiedAt, restMs })
    }
    return ready
  }
}

// While nobody watched, git may have been at work at any time.
const ALWAYS: Bracket = { from: -Infinity, to: Infinity }

// Somebody's patience must not keep a process alive that has been told to stop.
function atMost(ms: number): Promise<void> {
  return delay(Math.max(0, ms), undefined, { ref: false })
}

const RETRY_MS = 1_000
const BRACKET_MS = 10_000

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
