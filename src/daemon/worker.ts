import { setTimeout as delay } from 'node:timers/promises'
import type { Source } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { ALWAYS, type Brackets, bracketsOf } from '../recording/brackets.ts'
import { gitActivity, gitIsAtWork, type Traces, tracesOf } from '../recording/git-activity.ts'
import { isIndexNew, logSize, refreshIndex } from '../recording/memory.ts'
import { followHead } from '../recording/recall.ts'
import { observe } from '../recording/observe.ts'
import type { Observer } from '../recording/observer.ts'
import { nextDueAt, notice, type Patience, putBack, type Settling, startOver, takeDue } from './settle.ts'
import { grouped } from './grouped.ts'
import { type Ready, rested } from './rested.ts'
import { Tidings } from './tidings.ts'

export type Reports = {
  readonly recorded: (records: readonly TraceRecord[]) => void
  /** Something could not be written or read; it is tried again. */
  readonly failed: (reason: unknown) => void
  /** A batch is over: more may be known than before. */
  readonly learnt: () => void
}

type Means = {
  readonly patience: Patience
  readonly reports: Reports
  /** False when the worktree that it works for is no longer in its place: then nothing can be said of a path. */
  readonly stands: () => Promise<boolean>
}

/** Takes signs of life, waits until they settle, and has them observed, one batch after the other. */
export class Worker {
  readonly #observer: Observer
  readonly #patience: Patience
  readonly #reports: Reports
  readonly #stands: () => Promise<boolean>
  readonly #settling: Settling = new Map()
  readonly #tidings = new Tidings()
  readonly #brackets: Brackets
  readonly #traces: Traces
  #indexMoved = true
  #movedAt = -Infinity
  #gitMovedAt = -Infinity
  #running: Promise<void> | null = null
  #notBefore = 0
  #closed = false
  #timer: NodeJS.Timeout | null = null
  #resting: NodeJS.Timeout | null = null

  constructor(observer: Observer, { patience, reports, stands }: Means) {
    this.#observer = observer
    this.#patience = patience
    this.#reports = reports
    this.#stands = stands
    this.#brackets = bracketsOf(observer.workspace)
    this.#traces = tracesOf(observer, this.#brackets.lockedAt)
  }

  /** A path may have changed: somebody looked for that, or (`daemon`) the index did. */
  noticed(path: string, source: Source): void {
    this.#tidings.found(path, source)
    this.#notice(path)
  }

  /** An event told of a path; one by polling comes late at any time. */
  heard(path: string, isPolled = false): void {
    this.#tidings.heard(path, isPolled ? null : this.#now())
    this.#notice(path)
  }

  #notice(path: string): void {
    notice(this.#settling, path, this.#ticks())
    this.#schedule()
  }

  /** Something of this name changed in the git directory: takes down what it shows, before the next change hides it. */
  indexMoved(name: string): void {
    this.#gitMovedAt = this.#ticks()
    this.#traces.headLog.saw(name)
    if (name === 'FETCH_HEAD') this.#restLater(PERIODS)
    if (!this.#brackets.saw(name)) return
    void this.#traces.stashes.look().catch(reason => this.#reports.failed(reason))
    this.#indexMoved = true
    this.#movedAt = this.#ticks()
    this.#schedule()
  }

  // What a fetch brings is old when all has been at rest since; no batch that could find that comes of it.
  #restLater(times: number): void {
    if (this.#resting) clearTimeout(this.#resting)
    if (times === 0 || this.#closed) return
    const again = (): void => this.#restLater(times - 1)
    this.#resting = setTimeout(() => void this.#run().then(again), REST_MS).unref()
  }

  /** Takes up what is known, before anything is looked at. */
  begin<T>(takeUp: () => Promise<T>): Promise<T> {
    return this.alone(async () => {
      const taken = await takeUp()
      await this.#traces.stashes.begin()
      return taken
    })
  }

  /** Does something between two batches: nothing is looked at or recorded meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running
    const result = work()
    void this.#occupy(result.then(ignore, ignore))
    return result
  }

  /** Resolves when nothing is waiting any more, or at a time (the clock's ticks): true when nothing is. */
  async idle(until: number): Promise<boolean> {
    for (let due = this.#dueAt(); due !== null || this.#running; due = this.#dueAt()) {
      if (this.#closed || this.#ticks() > until) return false
      if (this.#running) await Promise.race([this.#running, atMost(until - this.#ticks())])
      else {
        await delay(Math.max(0, Math.min(due ?? 0, until + 1) - this.#ticks()))
        void this.#run()
      }
    }
    return true
  }

  /** Takes on nothing more. */
  [Symbol.dispose](): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#resting) clearTimeout(this.#resting)
  }

  #now(): number {
    return this.#observer.workspace.clock.now()
  }

  // For waiting: the time of day can be set, and would hold up everything that had been noticed before.
  #ticks(): number {
    return this.#observer.workspace.clock.ticks()
  }

  #dueAt(): number | null {
    const { quietMs } = this.#patience
    const due = nextDueAt(this.#settling, this.#patience) ?? (this.#indexMoved ? this.#ticks() + quietMs : null)
    return due && Math.max(due, this.#notBefore)
  }

  #schedule(): void {
    const due = this.#dueAt()
    if (due === null || this.#running || this.#timer || this.#closed) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, due - this.#ticks()))
  }

  #run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const batch = (): Promise<void> => this.#batch().catch(reason => this.#fail(reason))
    return this.#running ?? this.#occupy(batch().then(this.#reports.learnt))
  }

  #occupy(work: Promise<void>): Promise<void> {
    this.#running = work.finally(() => {
      this.#running = null
      this.#schedule()
    })
    return this.#running
  }

  // Whatever is in the way will not be gone at once.
  #fail(reason: unknown): void {
    this.#notBefore = this.#ticks() + RETRY_MS
    this.#reports.failed(reason)
  }

  async #batch(): Promise<void> {
    const isBusy = await gitIsAtWork(this.#observer.workspace, this.#ticks() - this.#movedAt)
    if (isBusy || !(await this.#stands())) return startOver(this.#settling, this.#ticks())
    if (this.#isRested()) await this.#rest()
    await this.#followIndex()
    const due = takeDue(this.#settling, this.#ticks(), this.#patience)
    const { workspace, memory } = this.#observer
    const isGone = (path: string): boolean => memory.staged.get(path) === null && !memory.index.has(path)
    const rest = { settling: this.#settling, patience: this.#patience, gitMovedAt: this.#gitMovedAt, isGone }
    const ready = await rested(workspace, due, rest)
    for (const [source, group] of grouped([...ready], ([path]) => this.#tidings.of(path).source)) {
      await this.#observe(new Map(group), source)
    }
  }

  // Events may be late: what git did is told of until nothing has come of it for a while.
  #isRested(): boolean {
    const since = this.#movedAt + REST_MS
    for (const { firstAt } of this.#settling.values()) if (firstAt < since) return false
    return this.#ticks() >= since
  }

  async #rest(): Promise<void> {
    const { workspace, memory } = this.#observer
    if (!memory.period.rested({ at: this.#now(), log: await logSize(workspace) })) return
    memory.revision++
    this.#traces.headLog.rested()
    await this.#traces.stashes.rested()
  }

  async #observe(ready: Ready, source: Source): Promise<void> {
    const paths = [...ready.keys()]
    const taken = this.#tidings.take(paths)
    try {
      const brackets = source === 'catch-up' ? () => [ALWAYS] : this.#brackets.all
      const heardAt = (path: string): number | null => taken.get(path)?.heardAt ?? null
      const activity = gitActivity(this.#observer.workspace, { brackets, heardAt }, this.#traces)
      const { records, torn } = await observe(this.#observer, { paths, activity, source, rested: ready })
      for (const path of torn) notice(this.#settling, path, this.#ticks())
      this.#tidings.putBack(taken, torn)
      if (records.length > 0) this.#reports.recorded(records)
    } catch (reason) {
      const now = this.#ticks()
      // Of what was taken up, some is recorded already: a second look finds it the same.
      for (const path of paths) putBack(this.#settling, path, { firstAt: now, lastAt: now, restMs: RETRY_MS })
      this.#tidings.putBack(taken, paths)
      this.#reports.failed(reason)
    }
  }

  /** What the index says of paths may have changed; those are looked at, whether or not an event tells of them. */
  async #followIndex(): Promise<void> {
    const { workspace, memory } = this.#observer
    if (!this.#indexMoved && !(await isIndexNew(workspace, memory))) return
    this.#indexMoved = false
    try {
      const head = await this.#observer.head()
      for (const path of await refreshIndex(workspace, memory)) this.noticed(path, 'daemon')
      if (head !== memory.head) await followHead(workspace, memory, head)
    } catch (reason) {
      this.#indexMoved = true
      throw reason
    }
  }
}

function ignore(): void {}

// Somebody's patience must not keep a process alive that has been told to stop.
function atMost(ms: number): Promise<void> {
  return delay(Math.max(0, ms), undefined, { ref: false })
}

const REST_MS = 2_000
// A period that is over lasts until the next one is.
const PERIODS = 2
const RETRY_MS = 1_000
