import { unwatchedGlobs } from '../../core/intents/config.ts'
import { rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { WatchThread } from '../../world/io/watch/directories.ts'
import { watchTree } from '../../world/io/watch/watch-tree.ts'
import { watchFolder } from '../../world/io/watch/watch-folder.ts'
import { gitStatusWithIgnored } from '../../core/git/status.ts'
import { findIgnored } from '../../world/io/git/run-git.ts'
import type { Config } from '../../core/intents/config.ts'
import { clearGitStatus, knownContent, type WorktreeState } from '../../world/recording/observation/worktree-state.ts'
import { ignoredByPerson } from '../../world/recording/observation/full-status.ts'
import { firstOfEach, trackedIn } from '../../world/recording/observation/new-ignore-files.ts'
import { hiddenByNewFiles, isIgnoreFile, newFilesIn } from '../../world/io/git/ignore-sources.ts'
import { inTurns } from '../../world/recording/observation/turns.ts'
import { COOKIE_PREFIX, isRuntimePath } from '../../world/io/worktree/own-writes.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { endsWithin } from './bounded-wait.ts'
import { coalesce, startReconcileTimer } from './reconcile-timer.ts'
import type { Recorder } from './recorder.ts'

export type ChangeFeed = AsyncDisposable & {
  /** True when the watcher has reported everything that was written before the call; false after `timeoutMs`. */
  drain(timeoutMs: number): Promise<boolean>
}

type ChangeFeedContext = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  readonly watch: Config['watch']
  /** A thread that watches the worktree already; null for none. */
  readonly watchThread: WatchThread | null
  /** The paths that git ignores. */
  readonly ignored: Promise<readonly string[]>
  readonly failed: (reason: unknown) => void
  /** Finds, by git's status, changes without an event. */
  readonly reconcile: () => Promise<unknown>
}

/** Watches the worktree and the git directory for a recorder. Reconciles when events may have been lost. */
export async function openChangeFeed(
  recorder: Pick<Recorder, 'pathChanged' | 'gitDirChanged' | 'whenRecorded' | 'runExclusive' | 'followSettings'>,
  { workspace, state, watch, watchThread, ignored, failed, reconcile }: ChangeFeedContext,
  watchBy: typeof watchTree = watchTree,
): Promise<ChangeFeed> {
  const cookies = cookiesIn(workspace)
  const idle = () => recorder.whenRecorded(workspace.clock.ticks() + IDLE_WAIT_MS_MAX)
  const reconcileTimer = startReconcileTimer(() => reconcileAfter(idle, { reconcile, failed }))
  const lists = ignoredLists(recorder, { workspace, state })
  const vanished = vanishedDirectories(state, path => recorder.pathChanged(path))
  const refreshIgnored = coalesce(async () => {
    // The ignored paths found at the start are passed to the watcher first.
    await opening
    tree.ignore(await lists.personally((await workspace.git.ask(gitStatusWithIgnored)).ignored))
    reconcileTimer.runNow()
  })
  const changed = (path: string, isPolled = false): void => {
    if (cookies.consume(path) || isRuntimePath(path)) return
    recorder.pathChanged(path, isPolled)
    if (!/(^|\/)\.gitignore$/.test(path)) return
    lists.changed(path)
    clearGitStatus(state)
    refreshIgnored().catch(failed)
  }
  const ignoredAmong = oneAtATime(async directories => lists.personally(await findIgnored(workspace.root, directories)))
  const directoriesAdded = (directories: readonly string[]): Promise<string[]> => {
    // A new directory may replace a file.
    for (const it of directories) if (knownContent(state, it) !== null) recorder.pathChanged(it)
    return ignoredAmong(directories)
  }
  const opening = watchBy(
    workspace.root,
    {
      globs: unwatchedGlobs(watch),
      ignored: ignored.then(lists.atStart),
      failed,
      changed,
      directoriesAdded,
      directoryRemoved: vanished.add,
      fileCount: () => recorder.runExclusive(async () => state.index.size),
      overflowed: reconcileTimer.runNow,
      unwatched: count => reconcileTimer.setDegraded(count > 0),
    },
    { wish: watch.backend, early: watchThread },
  )
  const tree = await opening
  const index = watchFolder(workspace.gitDir, { changed: name => recorder.gitDirChanged(name), failed })
  return feedOf({ cookies, vanished, tree, index, reconcileTimer })
}

/** Which of the paths that git ignores a person's git ignores, by ignore files that git has. */
function ignoredLists(
  recorder: Pick<Recorder, 'pathChanged' | 'runExclusive' | 'followSettings'>,
  { workspace, state }: Pick<ChangeFeedContext, 'workspace' | 'state'>,
) {
  let hasNewFile = false
  const split = async (paths: readonly string[]) => {
    const hidden = hasNewFile ? await hiddenByNewFiles(workspace.root, paths, trackedIn(state)) : new Set<string>()
    return { hidden, ignored: paths.filter(it => !hidden.has(it)) }
  }
  return {
    /** An ignore file has changed. */
    changed: (path: string): void => void (hasNewFile ||= !state.index.has(path)),
    personally: async (paths: readonly string[]): Promise<readonly string[]> => {
      if (paths.length > 0) await recorder.runExclusive(() => recorder.followSettings())
      return (await split(await ignoredByPerson(workspace, state, paths))).ignored
    },
    /** The list of the start. An ignore file that ignores itself may be older, with what it hides. */
    atStart: async (paths: readonly string[]): Promise<readonly string[]> => {
      hasNewFile ||= paths.some(isIgnoreFile)
      // The index is loaded first: it says which files git has.
      if (hasNewFile) await recorder.runExclusive(async () => {})
      const { hidden, ignored } = await split(paths)
      const found = hidden.size === 0 ? [] : await workspace.git.ask(newFilesIn([...hidden]))
      for (const it of firstOfEach(found, [...hidden])) recorder.pathChanged(it)
      return ignored
    },
  }
}

/**
 * Asks about some paths, one question at a time: what is asked meanwhile is one question together. A tree that is
 * unpacked reports its directories one by one.
 */
function oneAtATime(
  ask: (paths: readonly string[]) => Promise<readonly string[]>,
): (paths: readonly string[]) => Promise<string[]> {
  let next: { readonly paths: string[]; readonly answer: Promise<Set<string>> } | null = null
  let running: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const paths: string[] = []
    const answer = running.then(async () => ((next = null), new Set(await ask(paths))))
    running = answer.catch(() => {})
    return { paths, answer }
  }
  return async paths => {
    const { paths: asked, answer } = (next ??= begin())
    for (const it of paths) asked.push(it)
    const found = await answer
    return paths.filter(it => found.has(it))
  }
}

type OpenFeed = {
  readonly cookies: ReturnType<typeof cookiesIn>
  readonly vanished: ReturnType<typeof vanishedDirectories>
  readonly tree: Awaited<ReturnType<typeof watchTree>>
  readonly index: Disposable
  readonly reconcileTimer: Disposable
}

function feedOf({ cookies, vanished, tree, index, reconcileTimer }: OpenFeed): ChangeFeed {
  return {
    async drain(timeoutMs) {
      const seen = await cookies.roundTrip(timeoutMs)
      await endsWithin(tree.settled(), timeoutMs)
      await vanished.flush()
      return seen
    },
    async [Symbol.asyncDispose]() {
      reconcileTimer[Symbol.dispose]()
      index[Symbol.dispose]()
      await cookies.end()
      await tree[Symbol.asyncDispose]()
    },
  }
}

// Reported changes are recorded first. What differs then has been missed.
async function reconcileAfter(
  idle: () => Promise<unknown>,
  { reconcile, failed }: Pick<ChangeFeedContext, 'reconcile' | 'failed'>,
): Promise<void> {
  await idle()
  await reconcile().catch(failed)
}

// A recorder that is busy for longer must not stop reconciliation.
const IDLE_WAIT_MS_MAX = 10_000

/** Files that show whether the watcher is up to date: one is written, and its event is waited for. */
type Cookies = {
  /** True when the watcher has reported a new cookie; false after `timeoutMs`, or when none can be written. */
  roundTrip(timeoutMs: number): Promise<boolean>
  /** True when a path is a cookie, which is not recorded. */
  consume(path: string): boolean
  /** Waits for no cookie any more, and leaves none. */
  end(): Promise<void>
}

/** The cookies of one worktree, in `.orchestration`, where git ignores them. */
function cookiesIn(workspace: Workspace): Cookies {
  const waiting = new Map<string, (observed: boolean) => void>()
  const underWay = new Set<Promise<boolean>>()
  let hasEnded = false
  const writeOne = async (timeoutMs: number): Promise<boolean> => {
    const path = `${COOKIE_PREFIX}${workspace.clock.uuid()}`
    const observed = new Promise<boolean>(resolve => waiting.set(path, resolve))
    const timer = setTimeout(() => waiting.get(path)?.(false), timeoutMs).unref()
    const folder = join(workspace.root, dirname(path))
    const isMade = (await workspace.files.stat(folder).catch(() => null)) === null
    try {
      await workspace.files.append(join(workspace.root, path), Buffer.from('\n'))
      return await observed
    } catch {
      return false
    } finally {
      clearTimeout(timer)
      waiting.delete(path)
      await workspace.files.remove(join(workspace.root, path))
      // A folder that stays would stop the removal of the repository.
      if (isMade) await rmdir(folder).catch(() => {})
    }
  }
  const consume = (path: string): boolean => {
    waiting.get(path)?.(true)
    return path.startsWith(COOKIE_PREFIX)
  }
  const roundTrip = async (timeoutMs: number): Promise<boolean> => {
    if (hasEnded) return false
    const trip = writeOne(timeoutMs)
    underWay.add(trip)
    return trip.finally(() => underWay.delete(trip))
  }
  const end = async (): Promise<void> => {
    hasEnded = true
    for (const done of waiting.values()) done(false)
    await Promise.allSettled(underWay)
  }
  return { roundTrip, consume, end }
}

/** Collects removed directories, and reports every known path in them. */
function vanishedDirectories(state: WorktreeState, report: (path: string) => void) {
  let directories = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let pauseMs = GATHER_MS_MIN
  const reportAll = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    const gone = directories
    const began = performance.now()
    directories = new Set()
    if (gone.size === 0) return
    for await (const part of inTurns(pathsBelowAll(state.index, gone))) for (const path of part) report(path)
    for await (const part of inTurns(state.paths.keys()))
      for (const path of part) if (isBelowAny(path, gone)) report(path)
    pauseMs = Math.max(GATHER_MS_MIN, (performance.now() - began) * PAUSE_FACTOR)
  }
  return {
    add(directory: string): void {
      directories.add(directory)
      timer ??= setTimeout(() => void reportAll(), pauseMs)
    },
    flush: reportAll,
  }
}

function* pathsBelowAll(index: WorktreeState['index'], directories: ReadonlySet<string>): Generator<string, void> {
  for (const it of directories) if (!isBelowAny(it, directories)) yield* index.pathsBelow(it)
}

// `rm -r` removes directories one by one. Many are collected, because each report scans all known paths; and the next
// one waits for a multiple of the time that the last one took.
const GATHER_MS_MIN = 15
const PAUSE_FACTOR = 4

/** True when a path is in one of the directories, at any depth. */
export function isBelowAny(path: string, directories: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    if (directories.has(path.slice(0, slash))) return true
  return false
}
