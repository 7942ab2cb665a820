import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { type FailureCode, KotefError } from '../../../core/base/failure.ts'
import { OPEN_AT_ONCE } from '../files/regular-file.ts'
import { packageFile } from '../files/package.ts'
import { withoutRepositoryEnv } from '../git/run-git.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { askDaemon, readDaemonAddress } from './ask-daemon.ts'

/** The name of the daemon's log in kotef's folder of a worktree. */
export const LOG_NAME = 'daemon.log'

/** A daemon in a process of its own. `isNew` is false when it was running before. */
type DetachedDaemon = { readonly pid: number; readonly isNew: boolean }

/** How long an idle daemon goes on, and how long the caller waits for a new one to be ready; null: without a limit. */
type StartTerms = { readonly idleMs: number | null; readonly waitMsMax: number | null }

/** Starts a daemon as a process of its own, unless one is running. Returns when it is ready. */
export async function startDetached(
  workspace: Workspace,
  terms: StartTerms = { idleMs: null, waitMsMax: null },
): Promise<DetachedDaemon> {
  const running = await runningPid(workspace)
  if (running !== null) return { pid: running, isNew: false }
  const reply = await replyOfNewDaemon(workspace, terms)
  if ('ready' in reply) return { pid: reply.ready.pid, isNew: true }
  // Another process was faster.
  const faster = reply.error.code === 'daemon-running' ? await runningPid(workspace) : null
  if (faster !== null) return { pid: faster, isNew: false }
  throw new KotefError(reply.error.code, reply.error.message, reply.error.hint ? { hint: reply.error.hint } : {})
}

async function runningPid(workspace: Workspace): Promise<number | null> {
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  return answers ? ((await readDaemonAddress(workspace))?.pid ?? null) : null
}

async function replyOfNewDaemon(workspace: Workspace, { idleMs, waitMsMax }: StartTerms): Promise<StartMessage> {
  const options = idleMs === null ? [] : ['--idle', String(idleMs)]
  await mkdir(ownPath(workspace), { recursive: true })
  // Any device will do for a log, but a pipe that nobody reads must not be waited for.
  const flags = constants.O_APPEND | constants.O_WRONLY | constants.O_CREAT | OPEN_AT_ONCE
  const log = await open(ownPath(workspace, LOG_NAME), flags, 0o600)
  const child = spawn(process.execPath, [packageFile('dist/main.cjs'), 'watch', '--json', '--quiet', ...options], {
    cwd: workspace.root,
    env: daemonEnvironment(process.env),
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  let timer: NodeJS.Timeout | undefined
  const reply = await new Promise<StartMessage>(resolve => {
    if (waitMsMax !== null) timer = setTimeout(() => resolve({ ready: { pid: child.pid ?? 0 } }), waitMsMax)
    child.once('message', message => resolve(message as StartMessage))
    child.once('error', ({ message }) => resolve({ error: { code: 'daemon-failed', message } }))
    child.once('exit', code =>
      resolve({ error: { code: 'daemon-failed', message: `The daemon exited with ${code}.` } }),
    )
  })
  clearTimeout(timer)
  if (child.connected) child.disconnect()
  child.unref()
  await log.close()
  return reply
}

// A git hook's environment names the index and the settings of one command; the daemon outlives that command.
function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_CONFIG_PARAMETERS: _, ...more } = withoutRepositoryEnv(env)
  return more
}

type StartMessage =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: { readonly code: FailureCode; readonly message: string; readonly hint?: string } }
