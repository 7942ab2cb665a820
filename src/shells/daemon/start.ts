import { copyFileSync, fstatSync, statSync, truncateSync } from 'node:fs'
import { isAutostartForbidden } from '../../world/io/daemon-client/autostart.ts'
import { LOG_NAME } from '../../world/io/daemon-client/start-detached.ts'
import { toKotefError } from '../../core/base/failure.ts'
import type { WatchThread } from '../../world/io/watch/directories.ts'
import { loadConfig } from '../../world/intents/policy/load-policy.ts'
import { layoutOf, ownPath } from '../../world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import type { PrefetchedScan } from '../../world/recording/observation/baseline.ts'
import { type DaemonTerms, runDaemon } from './daemon.ts'
import { keepHeapSmall } from './memory.ts'
import type { DaemonEvent } from './daemon-events.ts'
import { plural } from '../../core/base/printable.ts'
import { clearOldTexts } from '../../world/runs/clear-old-texts.ts'
import { removeOldCalls } from '../../world/runs/private-calls.ts'
import { excludeLedger } from '../../world/setup/git-info-files.ts'
import { initialise } from '../../world/setup/init.ts'
import { prepareObserveOnly } from '../../world/setup/scaffold.ts'

/** How a daemon in the foreground talks to the outside. */
export type ForegroundOutput = {
  /** The line of an event; null for an event that is not printed. */
  readonly lineOf: (event: DaemonEvent) => string | null
  readonly print: (line: string) => void
  /** Called when the daemon is ready and has loaded all its code. */
  readonly onStarted: () => void
  /** Ends the process at once. */
  readonly endNow: () => void
  /** The time after which it ends when nobody uses it; null for never. */
  readonly idleMs: number | null
  /** A scan of the worktree that was started earlier. */
  readonly prefetched: PrefetchedScan | null
  /** A thread that watches the worktree already. */
  readonly watchThread: WatchThread | null
}

/** Runs a daemon in this process until a signal, or until its worktree is gone. Reports to its parent process. */
export async function runInForeground(workspace: Workspace, output: ForegroundOutput): Promise<void> {
  const { lineOf, print, onStarted, endNow, idleMs, prefetched, watchThread } = output
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  let hasStopped = false
  const printSoon = linePrinter(print, ownPath(workspace, LOG_NAME))
  const emit = (event: DaemonEvent): void => {
    if (event.event === 'ready') setImmediate(reduceMemory, onStarted)
    if (event.event === 'ready' && process.connected) process.send?.({ ready: event })
    if (event.event === 'ready') void clearTexts(workspace)
    if (event.event === 'ready' && idleMs !== null) void stopIfForbidden(workspace, stop)
    if (event.event === 'stopped') hasStopped = true
    const line = lineOf(event)
    if (line !== null) printSoon(line)
  }
  const endLate = (): void => {
    if (!hasStopped) emit({ event: 'stopped' })
    // The line is printed at the end of this turn.
    queueMicrotask(endNow)
  }
  stop.signal.addEventListener('abort', () => setTimeout(endLate, STOP_MS_MAX).unref())
  try {
    await watchWorktree(workspace, { emit, stop, idleMs, prefetched, watchThread })
  } catch (thrown) {
    const { code, message, hint } = toKotefError(thrown)
    if (process.connected) process.send?.({ error: { code, message, hint } })
    throw thrown
  } finally {
    if (process.connected) process.disconnect()
  }
}

// What earlier versions or older sessions left does not stop a daemon.
async function clearTexts(workspace: Workspace): Promise<void> {
  await removeOldCalls(workspace, workspace.clock.now()).catch(() => {})
  await clearOldTexts(workspace).catch(() => {})
}

// A person may stop the daemon while it starts itself, and then found none that answers.
async function stopIfForbidden(workspace: Workspace, stop: AbortController): Promise<void> {
  if (await isAutostartForbidden(workspace).catch(() => false)) stop.abort()
}

/** Prints the lines of one turn at once. Looks at the size of the log now and then. */
function linePrinter(print: (text: string) => void, log: string): (line: string) => void {
  let lines: string[] = []
  let printed = 0
  const printAll = (): void => {
    if (printed === 0 || printed >= LINES_PER_LOOK) {
      rotateLog(log)
      printed = 0
    }
    printed += lines.length
    print(lines.join('\n'))
    lines = []
  }
  return line => {
    if (lines.push(line) === 1) queueMicrotask(printAll)
  }
}

// A step that takes longer is left undone, as by kill -9: the next daemon finds what is missing.
const STOP_MS_MAX = 800

// After a flag is set, V8 rejects all cached code, also Node's own; so all code is loaded before.
function reduceMemory(onStarted: () => void): void {
  onStarted()
  keepHeapSmall(true)
}

/** Runs a daemon for the repository at this path. Starts again when another repository replaces it. */
async function watchWorktree(workspace: Workspace, terms: Omit<DaemonTerms, 'config'>): Promise<void> {
  const { emit } = terms
  const ending = await runDaemon(workspace, { ...terms, config: await loadConfig(workspace) })
  if (ending === 'stopped') return
  const next = ending === 'replaced' ? await openWorkspace(workspace.root).catch(() => null) : null
  // When the folder has no git directory any more, git answers for a repository around it.
  const isHere = next?.root === workspace.root && next.gitDir === workspace.gitDir
  // Nobody has asked kotef to watch a new repository that has no registry.
  const isGoverned = isHere && (await next.files.modifiedAt(layoutOf(next).registry)) !== null
  const message = isGoverned
    ? `${workspace.root} was replaced by another repository; restarting.`
    : isHere
      ? `${workspace.root} was replaced by a repository that kotef does not govern; stopping.`
      : `${workspace.root} is no longer a repository; stopping.`
  emit({ event: 'problem', code: 'not-a-repo', message })
  if (!isGoverned) return emit({ event: 'stopped' })
  await prepareWorktree(next, null)
  return watchWorktree(next, { ...terms, prefetched: null, watchThread: null })
}

/**
 * Limits the size of a log. When this process's stdout is the log, and it is full, its lines are moved to `<path>.1`,
 * which they replace. The log stays the same file, because it is open.
 */
function rotateLog(path: string): void {
  try {
    const log = statSync(path)
    const output = fstatSync(STDOUT)
    if (log.ino !== output.ino || log.dev !== output.dev || log.size < LOG_BYTES_MAX) return
    copyFileSync(path, `${path}.1`)
    truncateSync(path)
  } catch {
    // There is no log, or no space for a copy: then the log keeps growing.
  }
}

const STDOUT = 1

// As often as the size of the log is looked at.
const LINES_PER_LOOK = 100

// The daemon logs only problems, so this is enough for weeks.
const LOG_BYTES_MAX = 1_048_576

/**
 * Makes the files without which a worktree can't be watched. Without a registry, `confirm` asks a person whether to
 * initialise the repository; null when there is nobody to ask. Returns the lines to print.
 */
export async function prepareWorktree(
  workspace: Workspace,
  confirm: ((question: string) => Promise<boolean>) | null,
): Promise<string[]> {
  await excludeLedger(workspace)
  if ((await workspace.files.modifiedAt(layoutOf(workspace).registry)) !== null) return []
  if (await confirm?.(QUESTION)) {
    const { created } = await initialise(workspace, { hooks: null, cwd: workspace.root })
    return [`kotef governs this repository: created ${plural(created.length, 'file')} and installed the git hooks.`]
  }
  await prepareObserveOnly(workspace)
  return [
    'Created .orchestration with an empty registry: writes are recorded without an intent.',
    'Add git hooks and policy files with `kotef init`',
  ]
}

const QUESTION = 'This repository has no .orchestration yet. Initialise it, git hooks included?'
