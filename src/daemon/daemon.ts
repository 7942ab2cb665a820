import { join } from 'node:path'
import { blobsOf } from '../io/blobs.ts'
import { outlineAt } from '../io/worktree.ts'
import type { Config } from '../intents/config.ts'
import { emptyMemory, type Memory, untracedIn } from '../recording/memory.ts'
import { observerOf } from '../recording/observer.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { outsideOf } from '../scope/globs.ts'
import { strayPaths } from '../recording/reconcile.ts'
import { record } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { lookAround, takeUp } from '../recording/baseline.ts'
import { type Eyes, openEyes } from './eyes.ts'
import { finaliserOf } from './finaliser.ts'
import { type Fate, guardPlace } from './guard.ts'
import { keeperOf } from './keeper.ts'
import { type Historian, openHistorian } from './historian.ts'
import { type DaemonEvent, newsTo } from './news.ts'
import { pulseOf } from './pulse.ts'
import { holdPost } from '../workspace/post.ts'
import { type Flushing, openDoor } from './server.ts'
import { sweepDaily } from './sweep.ts'
import { Worker } from './worker.ts'

/** How a daemon ended: it was told to, or its place is gone, or is not the one it began in. */
export type Ending = 'stopped' | Fate

/** Watches a worktree and records what is written, until it is told to stop. One per worktree. */
export async function runDaemon(
  workspace: Workspace,
  { config, tell, stop }: { config: Config; tell: (event: DaemonEvent) => void; stop: AbortController },
): Promise<Ending> {
  await using post = await holdPost(workspace, { waitMsMax: START_MS_MAX })
  using guard = await guardPlace(workspace, post)
  await using blobs = blobsOf(workspace.root, { atHand: true })
  const { settle_ms: quietMs, text_bytes_max: textBytesMax } = config.watch
  const memory = emptyMemory()
  const news = newsTo(tell, workspace.clock.ticks)
  const { failed } = news
  const { stands } = guard
  const observer = await observerOf(workspace, memory, { blobs, textBytesMax, failed })
  const alone = <T>(work: () => Promise<T>): Promise<T> => worker.alone(work)
  await using keeper = keeperOf({ workspace, memory, stands, alone, failed })
  await using pulse = pulseOf(workspace, failed)
  const recorded = (records: readonly TraceRecord[]) => (news.recorded(records), pulse.felt(records))
  const reports = { ...news, recorded, learnt: keeper.learnt }
  using worker = new Worker(observer, { patience: { quietMs, waitMsMax: WAIT_MS_MAX }, reports, stands })
  using _sweeping = await sweepDaily(workspace, failed)
  const scouts = { workspace, worker, memory, isWatched: outsideOf(config.watch.ignored) }
  const view = await lookAround(workspace)
  const begun = worker.begin(() => caughtUp(scouts, takeUp(workspace, memory, { view, textBytesMax })))
  // It is waited for below, where a failure of it is told.
  begun.catch(() => {})
  const reconcile = () => catchUp(scouts, 'reconcile', soon(workspace, START_MS_MAX))
  const around = { workspace, memory, watch: config.watch, ignored: view.ignored(), failed, reconcile }
  await using eyes = await openEyes(worker, around)
  const { missed, preexisting } = await begun
  using finaliser = finaliserOf(workspace, failed)
  using historian = await openHistorian(workspace, { ...news, moved: finaliser.moved })
  const crew: Crew = { ...scouts, eyes, historian, news }

  await worker.idle(soon(workspace, START_MS_MAX))
  await using _door = await openDoor(workspace, {
    status: () => ({ running: true, pid: workspace.clock.pid, untraced: untracedIn(memory) }),
    flush: wish => flush(crew, wish),
    stop: () => stop.abort(),
    listen: news.listen,
  })
  const readyAt = workspace.clock.now() - TICK_MS
  tell({ event: 'ready', pid: workspace.clock.pid, missed: missed.length, preexisting })
  lookBack(scouts, readyAt).catch(failed)
  const ending = await Promise.race([guard.left, stopped(stop.signal)])
  if (ending !== 'stopped') return ending
  await leave(crew)
  tell({ event: 'stopped' })
  return ending
}

type Scouts = {
  readonly workspace: Workspace
  readonly worker: Worker
  readonly memory: Memory
  readonly isWatched: (path: string) => boolean
}

type Crew = Scouts & {
  readonly eyes: Eyes
  readonly historian: Historian
  readonly news: ReturnType<typeof newsTo>
}

/** What was missed is noticed before anything is looked at that was heard meanwhile. */
async function caughtUp<T extends { missed: readonly string[] }>(scouts: Scouts, takingUp: Promise<T>): Promise<T> {
  const taken = await takingUp
  for (const path of taken.missed.filter(scouts.isWatched)) scouts.worker.noticed(path, 'catch-up')
  return taken
}

async function catchUp(
  { workspace, memory, worker, isWatched }: Scouts,
  source: 'catch-up' | 'reconcile',
  until: number,
): Promise<boolean> {
  for (const path of await strayPaths(workspace, memory)) if (isWatched(path)) worker.noticed(path, source)
  return worker.idle(until)
}

/** Git may have looked into a folder before it was watched: finds what was written there in between. */
async function lookBack({ workspace, memory, worker, isWatched }: Scouts, readyAt: number): Promise<void> {
  for (const path of await strayPaths(workspace, memory)) {
    const found = await outlineAt(join(workspace.root, path))
    // Of what was written since, the watcher is about to tell.
    if (isWatched(path) && (found?.modifiedAt ?? 0) < readyAt) worker.noticed(path, 'reconcile')
  }
}

async function flush(crew: Crew, { timeoutMs, reconcile }: Flushing): Promise<{ flushed: boolean; problem?: string }> {
  const { workspace, historian, news } = crew
  const [began, until] = [soon(workspace, 0), soon(workspace, timeoutMs)]
  // Whoever only wants what is at hand told does not wait for what the watcher says last, nor for HEAD's moves.
  const flushed = await settled(crew, until, reconcile ? COOKIE_MS_MAX : GLANCE_MS_MAX)
  if (!reconcile) return { flushed }
  const isDone = flushed && (await catchUp(crew, 'reconcile', until))
  await historian.caughtUp()
  const problem = news.problemSince(began)
  return { flushed: isDone, ...(isDone || problem === undefined ? {} : { problem }) }
}

/** Resolves when everything that the watcher can tell of is in the ledger, or at a time: true when it is. */
async function settled(crew: Crew, until: number, cookieMsMax: number): Promise<boolean> {
  const { workspace, eyes, worker } = crew
  await eyes.haveSeenAll(Math.min((until - soon(workspace, 0)) / 2, cookieMsMax))
  return worker.idle(until)
}

async function leave(crew: Crew): Promise<void> {
  const { workspace, news } = crew
  await catchUp(crew, 'reconcile', soon(workspace, STOP_MS_MAX)).catch(news.failed)
  const event = { event: 'daemon-stopped', pid: workspace.clock.pid } as const
  await record(workspace, [{ event }]).catch(news.failed)
  // A worktree may be removed next, and its ledger with it.
  const { finalise } = await import('../provenance/finalise.ts')
  await finalise(workspace, { isWatched: true }).catch(news.failed)
}

function soon({ clock }: Workspace, ms: number): number {
  return clock.ticks() + ms
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10

// Whatever is in the way, the daemon is ready and stops within a time that somebody will wait for.
const START_MS_MAX = 10_000
const STOP_MS_MAX = 5_000
const COOKIE_MS_MAX = 2_000
// Whoever polls takes longer than an agent is to wait each time.
const GLANCE_MS_MAX = 200

// A file that is written without a pause is recorded this often all the same.
const WAIT_MS_MAX = 2_000

function stopped(signal: AbortSignal): Promise<'stopped'> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
}
