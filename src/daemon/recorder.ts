import { setTimeout as delay } from 'node:timers/promises'
import type { WriteSource } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { ALWAYS, type Brackets, bracketsOf } from '../git-evidence/index-locks.ts'
import { gitActivity, gitIsAtWork, type Traces, tracesOf } from '../git-evidence/git-evidence.ts'
import { hasIndexChanged, reflogSize, refreshIndex } from '../observation/worktree-state.ts'
import { followHead } from '../git-evidence/rebuild-baseline.ts'
import { observe } from '../observation/observe.ts'
import type { RecorderContext } from '../observation/recorder-context.ts'
import { nextDueAt, notice, type Patience, putBack, type Settling, startOver, takeDue } from './settle.ts'
import { groupBy } from './group-by.ts'
import { type StableFiles, selectStable } from './stable-files.ts'
import { PendingPaths } from './pending-paths.ts'

export type RecorderEvents = {
  readonly recorded: (records: readonly TraceRecord[]) => void
  /** Something could not be written or read; it is tried again. */
  readonly failed: (reason: unknown) => void
  /** A batch is over: more may be known than before. */
  readonly batchEnded: () => void
}

type RecorderOptions = {
  readonly patience: Patience
  readonly events: RecorderEvents
  /** False when the worktree that it works for is no longer in its place: then nothing can be said of a path. */
  readonly isInPlace: () => Promise<boolean>
}

/** Takes signs of life, waits until they settle, and has them observed, one batch after the other. */
export class Recorder {
  readonly #context: RecorderContext
  readonly #patience: Patience
  readonly #events: RecorderEvents
  readonly #isInPlace: () => Promise<boolean>
  readonly #settling: Settling = new Map()
  readonly #pending = new PendingPaths()
  readonly #brackets: Brackets
  readonly #traces: Traces
  #indexMoved = true
  #indexMovedAt = -Infinity
  #gitMovedAt = -Infinity
  #running: Promise<void> | null = null
  #retryAt = 0
  #isClosed = false
  #timer: NodeJS.Timeout | null = null
  #epochTimer: NodeJS.Timeout | null = null

  constructor(context: RecorderContext, { patience, events, isInPlace }: RecorderOptions) {
    this.#context = context
    this.#patience = patience
    this.#events = events
    this.#isInPlace = isInPlace
    this.#brackets = bracketsOf(context.workspace)
    this.#traces = tracesOf(context, this.#brackets.lockedAt)
  }

  /** A path may have changed: somebody looked for that, or (`daemon`) the index did. */
  addPath(path: string, source: WriteSource): void {
    this.#pending.addFromScan(path, source)
    this.#notice(path)
  }

  /** An event told of a path; one by polling comes late at any time. */
  pathChanged(path: string, isPolled = false): void {
    this.#pending.addFromEvent(path, isPolled ? null : this.#now())
    this.#notice(path)
  }

  #notice(path: string): void {
    notice(this.#settling, path, this.#ticks())
    this.#schedule()
  }

  /** Something of this name changed in the git directory: takes down what it shows, before the next change hides it. */
  gitDirChanged(name: string): void {
    this.#gitMovedAt = this.#ticks()
    this.#traces.headLog.saw(name)
    if (name === 'FETCH_HEAD') this.#endEpochLater(EPOCHS)
    if (!this.#brackets.saw(name)) return
    void this.#traces.stashes.look().catch(reason => this.#events.failed(reason))
    this.#indexMoved = true
    this.#indexMovedAt = this.#ticks()
    this.#schedule()
  }

  // What a fetch brings is old when all has been at rest since; no batch that could find that comes of it.
  #endEpochLater(times: number): void {
    if (this.#epochTimer) clearTimeout(this.#epochTimer)
    if (times === 0 || this.#isClosed) return
    const again = (): void => this.#endEpochLater(times - 1)
    this.#epochTimer = setTimeout(() => void this.#run().then(again), EPOCH_QUIET_MS).unref()
  }

  /** Takes up what is known, before anything is looked at. */
  begin<T>(load: () => Promise<T>): Promise<T> {
    return this.runExclusive(async () => {
      const loaded = await load()
      await this.#traces.stashes.begin()
      return loaded
    })
  }

  /** Does something between two batches: nothing is looked at or recorded meanwhile. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running
    const result = work()
    void this.#runAlone(result.then(ignore, ignore))
    return result
  }

  /** Resolves when nothing is waiting any more, or at a time (the clock's ticks): true when nothing is. */
  async whenIdle(until: number): Promise<boolean> {
    for (let due = this.#dueAt(); due !== null || this.#running; due = this.#dueAt()) {
      if (this.#isClosed || this.#ticks() > until) return false
      if (this.#running) await Promise.race([this.#running, waitAtMost(until - this.#ticks())])
      else {
        await delay(Math.max(0, Math.min(due ?? 0, until + 1) - this.#ticks()))
        void this.#run()
      }
    }
    return true
  }

  /** Takes on nothing more. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#epochTimer) clearTimeout(this.#epochTimer)
  }

  #now(): number {
    return this.#context.workspace.clock.now()
  }

  // For waiting: the time of day can be set, and would hold up everything that had been noticed before.
  #ticks(): number {
    return this.#context.workspace.clock.ticks()
  }

  #dueAt(): number | null {
    const { quietMs } = this.#patience
    const due = nextDueAt(this.#settling, this.#patience) ?? (this.#indexMoved ? this.#ticks() + quietMs : null)
    return due && Math.max(due, this.#retryAt)
  }

  #schedule(): void {
    const due = this.#dueAt()
    if (due === null || this.#running || this.#timer || this.#isClosed) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, due - this.#ticks()))
  }

  #run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const batch = (): Promise<void> => this.#recordBatch().catch(reason => this.#fail(reason))
    return this.#running ?? this.#runAlone(batch().then(this.#events.batchEnded))
  }

  #runAlone(work: Promise<void>): Promise<void> {
    this.#running = work.finally(() => {
      this.#running = null
      this.#schedule()
    })
    return this.#running
  }

  // Whatever is in the way will not be gone at once.
  #fail(reason: unknown): void {
    this.#retryAt = this.#ticks() + RETRY_MS
    this.#events.failed(reason)
  }

  async #recordBatch(): Promise<void> {
    const isBusy = await gitIsAtWork(this.#context.workspace, this.#ticks() - this.#indexMovedAt)
    if (isBusy || !(await this.#isInPlace())) return startOver(this.#settling, this.#ticks())
    if (this.#isQuiet()) await this.#endEpoch()
    await this.#followIndex()
    const due = takeDue(this.#settling, this.#ticks(), this.#patience)
    const { workspace, state } = this.#context
    const isGone = (path: string): boolean => state.staged.get(path) === null && !state.index.has(path)
    const stability = { settling: this.#settling, patience: this.#patience, gitMovedAt: this.#gitMovedAt, isGone }
    const stable = await selectStable(workspace, due, stability)
    for (const [source, group] of groupBy([...stable], ([path]) => this.#pending.get(path).source)) {
      await this.#observe(new Map(group), source)
    }
  }

  // Events may be late: what git did is told of until nothing has come of it for a while.
  #isQuiet(): boolean {
    const since = this.#indexMovedAt + EPOCH_QUIET_MS
    for (const { firstAt } of this.#settling.values()) if (firstAt < since) return false
    return this.#ticks() >= since
  }

  async #endEpoch(): Promise<void> {
    const { workspace, state } = this.#context
    if (!state.epoch.rested({ at: this.#now(), log: await reflogSize(workspace) })) return
    state.revision++
    this.#traces.headLog.rested()
    await this.#traces.stashes.rested()
  }

  async #observe(ready: StableFiles, source: WriteSource): Promise<void> {
    const paths = [...ready.keys()]
    const taken = this.#pending.take(paths)
    try {
      const brackets = source === 'catch-up' ? () => [ALWAYS] : this.#brackets.all
      const heardAt = (path: string): number | null => taken.get(path)?.eventAt ?? null
      const activity = gitActivity(this.#context.workspace, { brackets, heardAt }, this.#traces)
      const { records, torn } = await observe(this.#context, { paths, activity, source, stableStats: ready })
      for (const path of torn) notice(this.#settling, path, this.#ticks())
      this.#pending.putBack(taken, torn)
      if (records.length > 0) this.#events.recorded(records)
    } catch (reason) {
      const now = this.#ticks()
      // Of what was taken up, some is recorded already: a second look finds it the same.
      for (const path of paths) putBack(this.#settling, path, { firstAt: now, lastAt: now, restMs: RETRY_MS })
      this.#pending.putBack(taken, paths)
      this.#events.failed(reason)
    }
  }

  /** What the index says of paths may have changed; those are looked at, whether or not an event tells of them. */
  async #followIndex(): Promise<void> {
    const { workspace, state } = this.#context
    if (!this.#indexMoved && !(await hasIndexChanged(workspace, state))) return
    this.#indexMoved = false
    try {
      const head = await this.#context.head()
      for (const path of await refreshIndex(workspace, state)) this.addPath(path, 'daemon')
      if (head !== state.head) await followHead(workspace, state, head)
    } catch (reason) {
      this.#indexMoved = true
      throw reason
    }
  }
}

function ignore(): void {}

// Somebody's patience must not keep a process alive that has been told to stop.
function waitAtMost(ms: number): Promise<void> {
  return delay(Math.max(0, ms), undefined, { ref: false })
}

const EPOCH_QUIET_MS = 2_000
// A period that is over lasts until the next one is.
const EPOCHS = 2
const RETRY_MS = 1_000
