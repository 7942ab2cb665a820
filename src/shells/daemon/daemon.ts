import { unwatchedGlobs } from '../../core/intents/config.ts'
import { join } from 'node:path'
import { FILE_CLOCK_TICK_MS } from '../../core/base/thresholds.ts'
import { openBlobs } from '../../world/io/git/blobs.ts'
import { filesInPlace } from '../../world/io/files/files-in-place.ts'
import { readStatSummary } from '../../world/io/files/file-state.ts'
import type { Config } from '../../core/intents/config.ts'
import { emptyState, type WorktreeState, untracedPaths } from '../../world/recording/observation/worktree-state.ts'
import { type RecorderContext, recorderContextOf } from '../../world/recording/observation/recorder-context.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { matchesNone } from '../../core/base/globs.ts'
import { divergentPaths } from '../../world/recording/observation/reconcile.ts'
import { inTurns } from '../../world/recording/observation/turns.ts'
import { appendRecords } from '../../world/ledger/append-records.ts'
import type { WatchThread } from '../../world/io/watch/directories.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { type PrefetchedScan, scanWorktree, startDaemonBaseline } from '../../world/recording/observation/baseline.ts'
import { endsWithin } from './bounded-wait.ts'
import { type ChangeFeed, openChangeFeed } from './change-feed.ts'
import { type NoteJob, noteJobOf } from './commit-jobs.ts'
import { sideJobsOf } from './side-jobs.ts'
import { type CommitWatcher, openCommitWatcher } from './commit-watcher.ts'
import { type WorktreeLoss, guardWorktree } from '../../world/io/worktree/worktree-guard.ts'
import { checkpointerOf } from './checkpointer.ts'
import { type DaemonEvent, eventSink } from './daemon-events.ts'
import { heartbeatsOf, startUpkeep } from './heartbeats.ts'
import { acquireDaemonLock } from '../../world/io/daemon-client/daemon-lock.ts'
import { type FlushAnswer, type FlushRequest, openControlSocket } from './control-socket.ts'
import { type IdleEnd, idleEnd } from './idle-end.ts'
import { Recorder } from './recorder.ts'

/** How a daemon ended: it was stopped, or its worktree was removed or replaced. */
export type DaemonEnding = 'stopped' | WorktreeLoss

/** How a daemon runs. `idleMs` is the time after which it ends when nobody uses it; null for never. */
export type DaemonTerms = {
  readonly config: Config
  readonly emit: (event: DaemonEvent) => void
  readonly stop: AbortController
  readonly idleMs: number | null
  readonly prefetched: PrefetchedScan | null
  /** A thread that watches already. */
  readonly watchThread: WatchThread | null
}

/** Watches a worktree and records its writes until it is stopped. A worktree has one daemon at a time. */
export async function runDaemon(opened: Workspace, terms: DaemonTerms): Promise<DaemonEnding> {
  const { config, emit, stop, idleMs, watchThread } = terms
  await using daemonLock = await acquireDaemonLock(opened, { waitMsMax: START_MS_MAX })
  using guard = await guardWorktree(opened, daemonLock, () => stop.abort())
  const workspace = writingInPlace(opened, [daemonLock.isHeld, guard.isInPlace])
  await using blobs = openBlobs(workspace.root, { localOnly: true })
  const { settle_ms: quietMs, text_bytes_max: textBytesMax } = config.watch
  const state = emptyState()
  const events = eventSink(emit, workspace.clock.ticks)
  const { failed } = events
  const halt = new AbortController()
  const recorderContext = await recorderContextOf(workspace, state, { blobs, textBytesMax, halt: halt.signal, failed })
  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => recorder.runExclusive(work)
  await using checkpointer = checkpointerOf({ workspace, state, isInPlace: guard.isInPlace, runExclusive, failed })
  await using heartbeats = heartbeatsOf(workspace, failed)
  using idle = idleEnd(workspace, { idleMs, config, isInUse: events.isListenedTo, end: () => stop.abort() })
  using sideJobs = sideJobsOf(workspace, conflict => emit({ event: 'conflict', conflict }))
  const recorded = (records: readonly TraceRecord[]) =>
    [events, heartbeats, idle, sideJobs].forEach(it => it.recorded(records))
  using recorder = new Recorder(recorderContext, {
    patience: { quietMs, waitMsMax: UNSETTLED_MS_MAX },
    events: { ...events, recorded, batchEnded: checkpointer.changed },
    isInPlace: guard.isInPlace,
  })
  using _upkeep = await startUpkeep(workspace, failed)
  const context: DaemonContext = { workspace, recorder, state, isWatched: matchesNone(unwatchedGlobs(config.watch)) }
  const scan = await scanWorktree(workspace, terms.prefetched)
  const baseline = recorder.begin(() =>
    noticeMissed(context, startDaemonBaseline(workspace, state, { scan, textBytesMax })),
  )
  // Its failure is handled where it is awaited below.
  baseline.catch(() => {})
  const reconcile = () => reconcileWorktree(context, 'reconcile', ticksFromNow(workspace, START_MS_MAX))
  const feedContext = { ...context, watch: config.watch, watchThread, ignored: scan.ignored(), failed, reconcile }
  await using feed = await openChangeFeed(recorder, feedContext)
  const { missed, preexisting } = await baseline
  using noteJob = noteJobOf(workspace, failed)
  using commitWatcher = await watchCommits({ ...context, feed, noteJob, events }, recorderContext)
  const daemon: RunningDaemon = { ...context, feed, commitWatcher, noteJob, events, idle, halt }
  const recordedSoon = recorder.whenRecorded(ticksFromNow(workspace, START_MS_MAX))
  await using _controlSocket = await serve(daemon, stop)
  await Promise.race([recordedSoon, whenAborted(stop.signal)])
  const readyAt = workspace.clock.now() - FILE_CLOCK_TICK_MS
  emit({ event: 'ready', pid: workspace.clock.pid, missed: missed.length, preexisting })
  noticeStartGap(context, readyAt).catch(failed)
  const ending = await Promise.race([guard.loss, whenAborted(stop.signal)])
  if (ending === 'stopped') await shutDown(daemon).then(() => emit({ event: 'stopped' }))
  halt.abort()
  return ending
}

// While a repository is removed, its git directory may still be there when the lock in it is gone.
function writingInPlace(opened: Workspace, holds: readonly (() => Promise<boolean>)[]): Workspace {
  const isInPlace = async (): Promise<boolean> => !(await Promise.all(holds.map(it => it()))).includes(false)
  return { ...opened, files: filesInPlace(opened.files, isInPlace) }
}

function serve(daemon: RunningDaemon, stop: AbortController): ReturnType<typeof openControlSocket> {
  const { workspace, state, events, idle } = daemon
  return openControlSocket(workspace, {
    endsWhenIdle: idle.isLimited,
    asked: idle.recorded,
    status: () => ({
      running: true,
      pid: workspace.clock.pid,
      untraced: untracedPaths(state),
      settings: state.settings?.standing ?? [],
    }),
    flush: request => flush(daemon, request),
    stop: () => stop.abort(),
    listen: events.listen,
  })
}

type DaemonContext = {
  readonly workspace: Workspace
  readonly recorder: Recorder
  readonly state: WorktreeState
  readonly isWatched: (path: string) => boolean
}

type RunningDaemon = DaemonContext & {
  readonly feed: ChangeFeed
  readonly commitWatcher: CommitWatcher
  readonly events: ReturnType<typeof eventSink>
  readonly idle: IdleEnd
  readonly noteJob: NoteJob
  readonly halt: AbortController
}

/** Notices the missed paths before the paths of events that came meanwhile are inspected. */
async function noticeMissed<T extends { missed: readonly string[] }>(
  context: DaemonContext,
  loading: Promise<T>,
): Promise<T> {
  const baseline = await loading
  for (const path of baseline.missed.filter(context.isWatched)) context.recorder.addPath(path, 'catch-up')
  return baseline
}

async function reconcileWorktree(
  { workspace, state, recorder, isWatched }: DaemonContext,
  source: 'catch-up' | 'reconcile',
  until: number,
): Promise<boolean> {
  await recorder.runExclusive(() => recorder.followSettings())
  for await (const part of inTurns(await divergentPaths(workspace, state)))
    for (const path of part) if (isWatched(path)) recorder.addPath(path, source)
  return recorder.whenRecorded(until)
}

/** Finds the writes to a folder between git's scan of it and the start of its watch. */
async function noticeStartGap(
  { workspace, state, recorder, isWatched }: DaemonContext,
  readyAt: number,
): Promise<void> {
  for (const path of await divergentPaths(workspace, state)) {
    const stat = await readStatSummary(join(workspace.root, path))
    // The watcher will report later writes.
    if (isWatched(path) && (stat?.modifiedAt ?? 0) < readyAt) recorder.addPath(path, 'reconcile')
  }
}

async function flush(daemon: RunningDaemon, { timeoutMs, reconcile }: FlushRequest): Promise<FlushAnswer> {
  const { workspace, commitWatcher, events } = daemon
  const workBefore = events.work()
  const began = ticksFromNow(workspace, 0)
  const until = ticksFromNow(workspace, timeoutMs)
  // Without `reconcile`, only changes that have been reported are flushed: the cookie gets little time, and commits are
  // not waited for.
  const flushed = await drainFeed(daemon, until, reconcile ? COOKIE_MS_MAX : AGENT_COOKIE_MS_MAX)
  if (!reconcile) return { flushed }
  const isDone = flushed && (await reconcileWorktree(daemon, 'reconcile', until))
  const isJudged = await endsWithin(commitWatcher.drain(), until - ticksFromNow(workspace, 0))
  if (isDone && isJudged) return { flushed: true }
  const problem = events.problemSince(began)
  return { flushed: false, ...(problem === undefined ? { working: events.work() > workBefore } : { problem }) }
}

type WatchedDaemon = Omit<RunningDaemon, 'commitWatcher' | 'idle' | 'halt'>

function watchCommits(daemon: WatchedDaemon, recorderContext: RecorderContext): Promise<CommitWatcher> {
  const { workspace, events, noteJob } = daemon
  const settled = (until: number) => drainFeed(daemon, until, COOKIE_MS_MAX)
  const watchedSince = workspace.clock.now() - FILE_CLOCK_TICK_MS
  const context = { ...recorderContext, preexisting: new Set(untracedPaths(daemon.state)), watchedSince }
  return openCommitWatcher(workspace, { ...events, headMoved: noteJob.headMoved, settled, context })
}

/** Waits until all changes that the watcher can report are in the ledger, or until a time; true when they are. */
async function drainFeed(
  { workspace, feed, recorder }: Pick<RunningDaemon, 'workspace' | 'feed' | 'recorder'>,
  until: number,
  cookieMsMax: number,
): Promise<boolean> {
  await feed.drain(Math.min((until - ticksFromNow(workspace, 0)) / 2, cookieMsMax))
  return recorder.whenRecorded(until)
}

// What is not recorded in time is found by the next daemon.
async function shutDown(daemon: RunningDaemon): Promise<void> {
  const { workspace, recorder, events, noteJob, halt } = daemon
  const isLarge = isLargeTree(daemon)
  const files = noteJob.count({ isLarge })
  // Its failure is handled where it is awaited below.
  files.catch(() => {})
  await endsWithin(lastLook(daemon).catch(events.failed), LAST_LOOK_MS_MAX)
  halt.abort()
  // A batch that is halted ends soon: its records come before the last one.
  await recorder.end(ticksFromNow(workspace, LAST_BATCH_MS_MAX))
  const event = { event: 'daemon-stopped', pid: workspace.clock.pid } as const
  await appendRecords(workspace, [{ event }]).catch(events.failed)
  // The worktree may be removed next, with its ledger, so the notes are written now.
  await noteJob.finish({ files, isLarge }).catch(events.failed)
}

// Git takes longer to look at a large worktree than a person waits for a daemon to stop.
async function lastLook(daemon: RunningDaemon): Promise<void> {
  const until = ticksFromNow(daemon.workspace, LAST_LOOK_MS_MAX)
  if (isLargeTree(daemon)) await drainFeed(daemon, until, AGENT_COOKIE_MS_MAX)
  else await reconcileWorktree(daemon, 'reconcile', until)
}

function isLargeTree({ state }: RunningDaemon): boolean {
  return state.index.size > SMALL_INDEX
}

function ticksFromNow({ clock }: Workspace, ms: number): number {
  return clock.ticks() + ms
}

// The daemon is ready, and stops, within a time that a person will wait for, even when a part of it is stuck.
const START_MS_MAX = 10_000
const LAST_LOOK_MS_MAX = 300
const LAST_BATCH_MS_MAX = 300
const SMALL_INDEX = 10_000

// A watcher reports a cookie within milliseconds, or within its polling interval.
const COOKIE_MS_MAX = 2_000
// Polling watchers take longer than this; an agent must not wait for them at every call.
const AGENT_COOKIE_MS_MAX = 200

// A file that is written without a pause is recorded this often.
const UNSETTLED_MS_MAX = 2_000

function whenAborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise(resolve => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
}
