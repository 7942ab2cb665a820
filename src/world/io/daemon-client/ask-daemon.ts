import { readlink } from 'node:fs/promises'
import { KotefError } from '../../../core/base/failure.ts'
import { askSocket, SocketTimeout } from '../process/socket.ts'
import type { GitDirAccess, Workspace } from '../worktree/workspace.ts'
import { DAEMON_SETTLE_MS_MAX, DAEMON_SILENCE_MS_MAX } from '../../../core/base/thresholds.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { ownPath } from '../worktree/layout.ts'

export type DaemonQuestion =
  | { readonly ask: 'status' | 'stop' | 'events' }
  | { readonly ask: 'flush'; readonly timeoutMs: number; readonly reconcile?: boolean }

/** The daemon's answers to a question; null when no daemon runs in this worktree. Throws when it does not answer. */
export async function askDaemon(
  access: GitDirAccess,
  question: DaemonQuestion,
): Promise<AsyncGenerator<unknown> | null> {
  const address = await readDaemonAddress(access)
  if (!address) return null
  const silenceMs =
    question.ask === 'events' ? 0 : DAEMON_SILENCE_MS_MAX + (question.ask === 'flush' ? question.timeoutMs : 0)
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

function daemonStuckError({ pid }: DaemonAddress): KotefError {
  return new KotefError('daemon-failed', `The daemon (pid ${pid}) does not answer.`, {
    hint: `End it with \`kill -9 ${pid}\` and start another: it catches up with what was missed.`,
  })
}

/**
 * Waits until everything written before the call is in the ledger. False when no daemon runs. When the time is over and
 * the daemon is at work, `waitsOn` decides whether it gets the same time again.
 */
export async function flushDaemon(
  access: GitDirAccess,
  timeoutMs: number,
  waitsOn: () => boolean = () => false,
): Promise<boolean> {
  const answers = await askDaemon(access, { ask: 'flush', timeoutMs })
  if (!answers) return false
  for await (const answer of answers) {
    const { flushed, error, problem = error?.message, working } = answer as FlushReply
    if (flushed) return true
    if (working && waitsOn()) return flushDaemon(access, timeoutMs, waitsOn)
    const why = problem ? ` It says: ${problem}` : ''
    throw new KotefError('flush-timeout', `The daemon did not catch up within ${timeoutMs} ms.${why}`)
  }
  throw new KotefError('daemon-failed', 'The daemon went away before it answered.')
}

type FlushReply = {
  readonly flushed?: boolean
  readonly working?: boolean
  readonly problem?: string
  readonly error?: { readonly message?: string }
}

/**
 * Gives the daemon time to record the changes that it knows of, which are few unless files are written right now.
 * False when no daemon runs. When it takes longer the caller goes on: modification times still separate the writes.
 */
export async function settleDaemon(access: GitDirAccess): Promise<boolean> {
  const answers = await askDaemon(access, { ask: 'flush', timeoutMs: DAEMON_SETTLE_MS_MAX, reconcile: false })
  await answers?.return(undefined)
  return answers !== null
}

/** How to reach a worktree's daemon. The daemon writes it into `<git-dir>/kotef/daemon.json`, mode 0600. */
type DaemonAddress = {
  readonly pid: number
  readonly socket: string
  /** Sent with every question, so that only a program that can read the file gets an answer. */
  readonly token: string
  readonly version: string
  /** ISO 8601. */
  readonly since: string
  /** True for a daemon that started itself. */
  readonly endsWhenIdle?: boolean
}

// Agents' hooks read the address, so its shape is checked by hand: loading zod takes longer than asking the daemon.
/** The daemon's address; null when its file is absent or damaged. The daemon may have ended since. */
export async function readDaemonAddress(access: GitDirAccess): Promise<DaemonAddress | null> {
  const bytes = await access.files.read(addressPath(access))
  const { pid, ...texts } = { ...parseObject(bytes?.toString('utf8') ?? '') } as DaemonAddress
  const isWhole = ['socket', 'token', 'version', 'since'].every(it => typeof texts[it as 'token'] === 'string')
  return Number.isInteger(pid) && isWhole ? { pid, ...texts } : null
}

/** Saves the address of this daemon. */
export async function writeDaemonAddress(access: GitDirAccess, address: DaemonAddress): Promise<void> {
  await access.files.put(addressPath(access), JSON.stringify(address))
}

/** Removes the address of a daemon that has ended. */
export async function removeDaemonAddress(access: GitDirAccess): Promise<void> {
  await access.files.remove(addressPath(access))
}

function addressPath(access: GitDirAccess): string {
  return ownPath(access, 'daemon.json')
}

/**
 * True when the process of the daemon's address is a kotef daemon of this worktree, and is not stopped. Reads `/proc`
 * only, which takes less than a millisecond. False when that is not so, and where `/proc` can't show it: then the
 * caller has to ask the daemon.
 */
export async function isDaemonRunning({ root, ...access }: GitDirAccess & Pick<Workspace, 'root'>): Promise<boolean> {
  const address = await readDaemonAddress(access)
  if (!address) return false
  const processFolder = `/proc/${address.pid}`
  const readProcessFile = async (name: string) =>
    (await access.files.read(`${processFolder}/${name}`).catch(() => null))?.toString('utf8')
  const [commandLine, stat, cwd] = await Promise.all([
    readProcessFile('cmdline'),
    readProcessFile('stat'),
    readlink(`${processFolder}/cwd`).catch(() => null),
  ])
  return cwd === root && DAEMON_COMMAND.test(commandLine ?? '') && RUNNING_STATE.test(stat ?? '')
}

// Running, sleeping, or waiting for a disk. A process that was stopped (T) records nothing.
const RUNNING_STATE = /\) [RSD] /

// The command lines of `kotef-watch` and `kotef watch`, with any path before them.
const DAEMON_COMMAND = /\0[^\0]*(?:kotef-watch|main-watch\.cjs|(?:kotef|main\.cjs)\0watch)(?:\0|$)/
