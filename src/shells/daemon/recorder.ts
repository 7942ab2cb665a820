import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WriteSource } from '../../core/ledger/event.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import type { OriginVerdict } from '../../core/authorship/change-origin/classify.ts'
import { UNKNOWN_INTERVAL } from '../../core/authorship/change-origin/index-lock.ts'
import { EPOCH_QUIET_MS } from '../../core/base/thresholds.ts'
import { IndexLocks } from '../../world/recording/git-evidence/index-locks.ts'
import { evidenceNow, followGit, waitForGit } from '../../world/recording/git-evidence/git-evidence.ts'
import type { GitTraces } from '../../world/recording/git-evidence/evidence.ts'
import { hasIndexChanged, reflogSize, refreshIndex } from '../../world/recording/observation/worktree-state.ts'
import { resetStagedFromHead } from '../../world/recording/git-evidence/rebuild-baseline.ts'
import { observe } from '../../world/recording/observation/observe.ts'
import { recordSettingChanges } from '../../world/recording/observation/git-settings.ts'
import type { RecorderContext } from '../../world/recording/observation/recorder-context.ts'
import { nextDueAt, notice, type Patience, putBack, type Settling, startOver, takeDue, type Waiting } from './settle.ts'
import { Backlogs } from './backlogs.ts'
import { BatchQueue, RETRY_MS } from './batch-queue.ts'
import { groupBy } from '../../core/base/grouping.ts'
import { fitHeapTo } from './memory.ts'
import { PendingPaths } from './pending-paths.ts'
import { type StableFiles, selectStable } from './stable-files.ts'
import { Sweep } from './sweep.ts'

export type RecorderEvents = {
  readonly judged: (path: string, verdict: OriginVerdict) => void
  readonly recorded: (records: readonly TraceRecord[]) => void
  /** A write or a read failed; it is tried again. */
  readonly failed: (reason: unknown) => void
  /** A batch has ended: the state may have changed. */
  readonly batchEnded: () => void
}

type RecorderOptions = {
  readonly patience: Patience
  readonly events: RecorderEvents
  /** False when the worktree was removed or replaced: then nothing is recorded. */
  readonly isInPlace: () => Promise<boolean>
}

/** Collects possible changes of paths, waits until their files are stable, and observes them in batches. */
export class Recorder {
  readonly #context: RecorderContext
  readonly #patience: Patience
  readonly #events: RecorderEvents
  readonly #isInPlace: () => Promise<boolean>
  readonly #settling: Settling = new Map()
  readonly #pending = new PendingPaths()
  readonly #backlogs = new Backlogs()
  readonly #traces: GitTraces
  readonly #sweep: Sweep
  #indexMoved = true
  #indexMovedAt = -Infinity
  #gitMovedAt = -Infinity
  readonly #queue = new BatchQueue({
    ticks: () => this.#ticks(),
    dueAt: () => this.#dueAt(),
    batch: () => this.#recordBatch(),
    failed: reason => this.#events.failed(reason),
    batchEnded: () => {
      fitHeapTo(this.#settling.size)
      this.#events.batchEnded()
    },
  })
  #epochTimer: NodeJS.Timeout | null = null

  constructor(context: RecorderContext, { patience, events, isInPlace }: RecorderOptions) {
    this.#context = context
    this.#patience = patience
    this.#events = events
    this.#isInPlace = isInPlace
    this.#sweep = new Sweep(context.workspace)
    this.#traces = followGit(context, new IndexLocks(context.workspace))
  }

  /** A path may have changed: a scan found it, or (`daemon`) the index changed it. */
  addPath(path: string, source: WriteSource): void {
    this.#pending.addFromScan(path, source)
    this.#notice(path)
  }

  /** An event reported a path; one by polling is always late. */
  pathChanged(path: string, isPolled = false): void {
    this.#pending.addFromEvent(path, isPolled ? null : this.#now())
    this.#notice(path)
  }

  #notice(path: string): void {
    notice(this.#settling, path, this.#ticks())
    this.#sweep.noticed()
    this.#queue.schedule()
  }

  /** A file of this name in the git directory changed: notes what it shows, before the next change hides it. */
  gitDirChanged(name: string): void {
    this.#gitMovedAt = this.#ticks()
    if (name === 'config') this.#look()
    if (name === 'FETCH_HEAD') this.#endEpochLater(EPOCHS)
    if (!this.#traces.saw(name)) return
    void this.#traces.stashes.look().catch(reason => this.#events.failed(reason))
    this.#indexMovedAt = this.#ticks()
    this.#look()
  }

  // A batch looks at the index and at git's settings, whatever is due.
  #look(): void {
    this.#indexMoved = true
    this.#queue.schedule()
  }

  // A fetch adds objects without a batch. After two quiet epochs, they count as older than any later change.
  #endEpochLater(times: number): void {
    if (this.#epochTimer) clearTimeout(this.#epochTimer)
    if (times === 0 || this.#queue.isClosed) return
    const again = (): void => this.#endEpochLater(times - 1)
    this.#epochTimer = setTimeout(() => void this.#queue.run().then(again), EPOCH_QUIET_MS).unref()
  }

  /** Loads what is known, before anything is inspected. */
  begin<T>(load: () => Promise<T>): Promise<T> {
    return this.runExclusive(async () => {
      const loaded = await load()
      await this.#traces.stashes.begin()
      return loaded
    })
  }

  /** Runs `work` between two batches: nothing is inspected or recorded meanwhile. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.runExclusive(work)
  }

  /** Waits until what was noticed before is recorded, or until a time in ticks; true when it is. */
  async whenRecorded(until: number): Promise<boolean> {
    // What a batch has taken may be noticed again.
    if (!(await this.#queue.whenFree(until))) return false
    using backlog = this.#backlogs.open(this.#settling.keys(), this.#indexMoved)
    return await this.#queue.runUntil(backlog.isDone, until)
  }

  /** Records no more, and waits for what is being recorded, at most until a time in ticks. */
  end(until: number): Promise<void> {
    return this.#queue.end(until)
  }

  [Symbol.dispose](): void {
    this.#queue[Symbol.dispose]()
    if (this.#epochTimer) clearTimeout(this.#epochTimer)
  }

  #now(): number {
    return this.#context.workspace.clock.now()
  }

  #ticks(): number {
    return this.#context.workspace.clock.ticks()
  }

  #dueAt(): number | null {
    return (
      nextDueAt(this.#settling, this.#patience) ?? (this.#indexMoved ? this.#ticks() + this.#patience.quietMs : null)
    )
  }

  async #recordBatch(): Promise<void> {
    await this.#sweep.whenOver(() => this.#settling.size, this.#isInPlace)
    const wait = await waitForGit(this.#context.workspace, this.#ticks() - this.#indexMovedAt)
    if (wait !== null || !(await this.#isInPlace())) return startOver(this.#settling, this.#ticks())
    if (this.#isQuiet()) await this.#endEpoch()
    await this.#followIndex()
    await this.followSettings()
    fitHeapTo(this.#settling.size)
    // The next batch waits for its end.
    if (await this.#sweep.isUnderWay(this.#settling.size)) return
    const due = takeDue(this.#settling, this.#ticks(), this.#patience)
    const { workspace, state } = this.#context
    const isGone = (path: string): boolean => state.staged.get(path) === null && !state.index.has(path)
    const stability = { settling: this.#settling, patience: this.#patience, gitMovedAt: this.#gitMovedAt, isGone }
    const stable = await selectStable(workspace, due, stability)
    await nextTurn()
    for (const [source, group] of groupBy([...stable], ([path]) => this.#pending.get(path).source)) {
      await this.#observe(new Map(group), { source, others: stable.keys(), due: new Map(due) })
    }
  }

  /** Records what an agent may have changed in git's settings. Nothing may be inspected meanwhile. */
  async followSettings(): Promise<void> {
    const records = await recordSettingChanges(this.#context)
    if (records.length > 0) this.#events.recorded(records)
  }

  // Events may be late: an epoch lasts until nothing has happened for a while.
  #isQuiet(): boolean {
    const since = this.#indexMovedAt + EPOCH_QUIET_MS
    for (const { firstAt } of this.#settling.values()) if (firstAt < since) return false
    return this.#ticks() >= since
  }

  async #endEpoch(): Promise<void> {
    const { workspace, state } = this.#context
    if (!state.epoch.close({ at: this.#now(), log: await reflogSize(workspace) })) return
    state.revision++
    await this.#traces.epochClosed()
  }

  async #observe(
    ready: StableFiles,
    { source, others, due }: { source: WriteSource; others: Iterable<string>; due: ReadonlyMap<string, Waiting> },
  ): Promise<void> {
    const paths = [...ready.keys()]
    await nextTurn()
    const taken = this.#pending.take(paths)
    try {
      await nextTurn()
      const intervals = source === 'catch-up' ? [UNKNOWN_INTERVAL] : undefined
      const eventAt = (path: string): number | null => taken.get(path)?.eventAt ?? null
      const evidence = evidenceNow(this.#traces, { intervals, eventAt, judged: this.#events.judged })
      const { recorded } = this.#events
      // The other end of a move may have been found in another way, and is in another group.
      const pending = [...this.#settling.keys(), ...others]
      const request = { paths, evidence, source, stableStats: ready, recorded, pending }
      const { torn, isPostponed } = await observe(this.#context, request)
      const lastAt = this.#ticks()
      // A file that is torn each time is inspected as one that never is stable, but for the time in which git works.
      const firstAt = (path: string): number => (isPostponed ? lastAt : (due.get(path)?.firstAt ?? lastAt))
      for (const path of torn) putBack(this.#settling, path, { firstAt: firstAt(path), lastAt, restMs: 0 })
      this.#pending.putBack(taken, torn)
      this.#backlogs.inspected(paths, new Set(torn))
    } catch (reason) {
      const now = this.#ticks()
      // Some of it may be recorded already: a second inspection finds that unchanged.
      for (const path of paths) putBack(this.#settling, path, { firstAt: now, lastAt: now, restMs: RETRY_MS })
      this.#pending.putBack(taken, paths)
      this.#events.failed(reason)
    }
  }

  /** What the index says of paths may have changed; those are inspected, whether or not an event reports them. */
  async #followIndex(): Promise<void> {
    const { workspace, state } = this.#context
    if (!this.#indexMoved && !(await hasIndexChanged(workspace, state))) return
    this.#indexMoved = false
    try {
      const head = await this.#context.head()
      const changed = await refreshIndex(workspace, state)
      for (const path of changed) this.addPath(path, 'daemon')
      if (head !== state.head) await resetStagedFromHead(workspace, state, head)
      this.#backlogs.indexRead(changed)
    } catch (reason) {
      this.#indexMoved = true
      throw reason
    }
  }
}

// A closed epoch can be read until the next one is closed.
const EPOCHS = 2
