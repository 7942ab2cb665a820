import { KotefError } from '../findings/failure.ts'
import { askSocket, SocketTimeout } from '../io/process/socket.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'
import { type DaemonAddress, readDaemonAddress } from './daemon-address.ts'
import { DAEMON_SETTLE_MS_MAX, DAEMON_SILENCE_MS_MAX } from '../timing/thresholds.ts'

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

/** Waits until everything written before the call is in the ledger. False when no daemon runs. */
export async function flushDaemon(access: GitDirAccess, timeoutMs: number): Promise<boolean> {
  const answers = await askDaemon(access, { ask: 'flush', timeoutMs })
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
 * Gives the daemon time to record the changes that it knows of, which are few unless files are written right now.
 * False when no daemon runs. When it takes longer the caller goes on: modification times still separate the writes.
 */
export async function settleDaemon(access: GitDirAccess): Promise<boolean> {
  const answers = await askDaemon(access, { ask: 'flush', timeoutMs: DAEMON_SETTLE_MS_MAX, reconcile: false })
  await answers?.return(undefined)
  return answers !== null
}
