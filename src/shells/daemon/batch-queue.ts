import { endsWithin, waitAtMost } from './bounded-wait.ts'

type BatchQueueOptions = {
  /** The clock's ticks. The time of day can be set, which would delay everything that is waiting. */
  readonly ticks: () => number
  /** When the next batch is due, in ticks; null when nothing is waiting. */
  readonly dueAt: () => number | null
  readonly batch: () => Promise<void>
  readonly failed: (reason: unknown) => void
  /** Called after each batch, also after one that failed. */
  readonly batchEnded: () => void
}

/** Runs a batch whenever one is due, and other work in between: never two at the same time. */
export class BatchQueue {
  readonly #options: BatchQueueOptions
  #running: Promise<void> | null = null
  #retryAt = 0
  #isClosed = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: BatchQueueOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Starts the timer of the next batch, if one is waiting. */
  schedule(): void {
    // Called for each event, so what waits is only looked at when there is no timer.
    if (this.#running || this.#timer || this.#isClosed) return
    const due = this.#dueAt()
    if (due === null) return
    this.#timer = setTimeout(() => void this.run(), Math.max(0, due - this.#options.ticks()))
  }

  /** Runs a batch now, or waits for the work that is running. */
  run(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const { batch, batchEnded } = this.#options
    return this.#running ?? this.#runAlone(batch().catch(this.#fail).then(batchEnded))
  }

  /** Runs `work` between two batches. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running
    const result = work()
    void this.#runAlone(result.then(ignore, ignore))
    return result
  }

  /** Waits for the work that is running, at most until a time in ticks; false when it goes on. */
  async whenFree(until: number): Promise<boolean> {
    while (this.#running) if (!(await endsWithin(this.#running, until - this.#options.ticks()))) return false
    return true
  }

  /** Runs batches until `isDone` or nothing is waiting, or until a time in ticks: false then. */
  async runUntil(isDone: () => boolean, until: number): Promise<boolean> {
    const { ticks } = this.#options
    for (let due = this.#dueAt(); !isDone() && (due !== null || this.#running); due = this.#dueAt()) {
      if (this.#isClosed || ticks() > until) return false
      if (this.#running) await endsWithin(this.#running, until - ticks())
      else {
        await waitAtMost(Math.min(due ?? 0, until + 1) - ticks())
        void this.run()
      }
    }
    return true
  }

  /** Runs no more batches, and waits for the one that is running, at most until a time in ticks. */
  async end(until: number): Promise<void> {
    this[Symbol.dispose]()
    if (this.#running) await endsWithin(this.#running, until - this.#options.ticks())
  }

  /** Runs no more batches. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #dueAt(): number | null {
    const due = this.#options.dueAt()
    return due && Math.max(due, this.#retryAt)
  }

  #runAlone(work: Promise<void>): Promise<void> {
    this.#running = work.finally(() => {
      this.#running = null
      this.schedule()
    })
    return this.#running
  }

  #fail = (reason: unknown): void => {
    this.#retryAt = this.#options.ticks() + RETRY_MS
    this.#options.failed(reason)
  }
}

function ignore(): void {}

/** A failure, such as a full disk, rarely ends at once; a retry costs a git process. */
export const RETRY_MS = 1_000
