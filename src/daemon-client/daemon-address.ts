import { sha256Hex } from '../text/sha256.ts'
import { readlink } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { askSocket, SocketTimeout } from '../io/process/socket.ts'
import { KotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What it takes to find a daemon. */
type DaemonWorktree = Pick<Workspace, 'gitDir' | 'files'>

/** Where a worktree's daemon is, as it wrote down itself: `<git-dir>/kotef/daemon.json`, mode 0600. */
export type DaemonAddress = {
  readonly pid: number
  readonly socket: string
  /** Shown with every question; who can't read the file can't ask. */
  readonly token: string
  readonly version: string
  /** ISO 8601. */
  readonly since: string
}

export type DaemonQuestion =
  | { readonly ask: 'status' | 'stop' | 'events' }
  | { readonly ask: 'flush'; readonly timeoutMs: number; readonly reconcile?: boolean }

/** The path of the daemon's socket: short, because the system cuts what is longer than about 104 bytes. */
export function daemonSocketPath({ gitDir }: DaemonWorktree): string {
  const name = sha256Hex(gitDir).slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\kotef-${name}`
  const shortFolders = [tmpdir(), '/tmp'].map(it => join(it, `kotef-${userInfo().uid}`, `${name}.sock`))
  const candidates = [join(gitDir, 'kotef/daemon.sock'), ...shortFolders]
  return candidates.find(it => Buffer.byteLength(it) < SOCKET_PATH_BYTES_MAX) ?? ''
}

const SOCKET_PATH_BYTES_MAX = 100

/** Where the daemon says it is; null when it never did, or the file is damaged. */
export async function readDaemonAddress(worktree: DaemonWorktree): Promise<DaemonAddress | null> {
  const bytes = await worktree.files.read(addressPath(worktree))
  try {
    return bytes && parseAddress(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

// By hand: agents' hooks ask the daemon, and to load what checks shapes takes longer than to ask.
function parseAddress(value: unknown): DaemonAddress | null {
  const { pid, ...texts } = { ...(value as DaemonAddress) }
  const isWhole = ['socket', 'token', 'version', 'since'].every(it => typeof texts[it as 'token'] === 'string')
  return Number.isInteger(pid) && isWhole ? { pid, ...texts } : null
}

/** Writes down where this daemon is. */
export async function writeDaemonAddress(worktree: DaemonWorktree, address: DaemonAddress): Promise<void> {
  await worktree.files.replace(addressPath(worktree), JSON.stringify(address), 0o600)
}

/** Forgets where a daemon was. */
export async function removeDaemonAddress(worktree: DaemonWorktree): Promise<void> {
  await worktree.files.remove(addressPath(worktree))
}

/**
 * True when the process of a worktree's daemon stands where it began, which takes no time to see; false where that is
 * not so, or can't be seen: then the daemon has to be asked.
 */
export async function isDaemonRunning({
  root,
  ...worktree
}: DaemonWorktree & Pick<Workspace, 'root'>): Promise<boolean> {
  const address = await readDaemonAddress(worktree)
  if (!address) return false
  const processFolder = `/proc/${address.pid}`
  const readProcessFile = async (name: string) =>
    (await worktree.files.read(`${processFolder}/${name}`).catch(() => null))?.toString('utf8')
  const [commandLine, stat, cwd] = await Promise.all([
    readProcessFile('cmdline'),
    readProcessFile('stat'),
    readlink(`${processFolder}/cwd`).catch(() => null),
  ])
  return cwd === root && DAEMON_COMMAND.test(commandLine ?? '') && RUNNING_STATE.test(stat ?? '')
}

// It runs, sleeps or waits for a disk; one that was stopped (T) records nothing.
const RUNNING_STATE = /\) [RSD] /

// As `kotef-watch` and `kotef watch` are started, by whatever path.
const DAEMON_COMMAND = /\0[^\0]*(?:kotef-watch|main-watch\.cjs|(?:kotef|main\.cjs)\0watch)(?:\0|$)/

/** The daemon's answers to a question; null when no daemon runs in this worktree. One that is stuck is a failure. */
export async function askDaemon(
  worktree: DaemonWorktree,
  question: DaemonQuestion,
): Promise<AsyncGenerator<unknown> | null> {
  const address = await readDaemonAddress(worktree)
  if (!address) return null
  const silenceMs = question.ask === 'events' ? 0 : SILENCE_MS + (question.ask === 'flush' ? question.timeoutMs : 0)
  const answers = askSocket(address.socket, { token: address.token, ...question }, silenceMs)
  const first = await answers.next().catch((thrown: unknown) => {
    if (thrown instanceof SocketTimeout) throw daemonStuckError(address)
    return null
  })
  if (!first) return null
  return (async function* () {
    if (!first.done) yield first.value
    yield* answers
  })()
}

// A daemon answers at once, or after the time that it was given.
const SILENCE_MS = 3_000

function daemonStuckError({ pid }: DaemonAddress): KotefError {
  return new KotefError('daemon-failed', `The daemon (pid ${pid}) does not answer.`, {
    hint: `End it with \`kill -9 ${pid}\` and start another: it catches up with what was missed.`,
  })
}

/** Returns when everything written before the call is in the ledger; false when no daemon runs. */
export async function flushDaemon(worktree: DaemonWorktree, timeoutMs: number): Promise<boolean> {
  const answers = await askDaemon(worktree, { ask: 'flush', timeoutMs })
  if (!answers) return false
  for await (const answer of answers) {
    if ((answer as { flushed?: boolean }).flushed) return true
    const { problem } = answer as { problem?: string }
    const why = problem ? ` It says: ${problem}` : ''
    throw new KotefError('flush-timeout', `The daemon did not catch up within ${timeoutMs} ms.${why}`)
  }
  throw new KotefError('daemon-failed', 'The daemon went away before it answered.')
}

/**
 * Gives the daemon time to record what it has at hand, which is little unless somebody writes just now; false when no
 * daemon runs. Where it takes longer, work goes on: whoever wrote something is told by its time as well.
 */
export async function settleDaemon(worktree: DaemonWorktree): Promise<boolean> {
  const answers = await askDaemon(worktree, { ask: 'flush', timeoutMs: SETTLE_MS_MAX, reconcile: false })
  await answers?.return(undefined)
  return answers !== null
}

// As long as a daemon waits at most for a file to be at rest, and half of that again.
const SETTLE_MS_MAX = 3_000

function addressPath({ gitDir }: DaemonWorktree): string {
  return join(gitDir, 'kotef/daemon.json')
}
