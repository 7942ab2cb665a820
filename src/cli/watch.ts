import { spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { withoutRepositoryEnv } from '../io/git/git-env.ts'
import { packageFile } from '../io/files/package.ts'
import type { VerbOutput } from '../report/verb-output.ts'
import { plural } from '../text/plural.ts'
import { type FailureCode, KotefError, toKotefError } from '../findings/failure.ts'
import { recordLine } from '../report/record-line.ts'
import { askDaemon } from '../daemon-client/ask-daemon.ts'
import { readDaemonAddress } from '../daemon-client/daemon-address.ts'
import { loadConfig } from '../policy/load-policy.ts'
import { layoutOf } from '../worktree/layout.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { rotateLog } from '../daemon/rotate-log.ts'
import type { DaemonEvent } from '../daemon/daemon-events.ts'
import { prepareWorktree } from '../daemon/prepare-worktree.ts'
import type { VerbCall } from './verb.ts'

type WatchCall = Pick<VerbCall, 'cwd' | 'options' | 'interactive' | 'confirm' | 'print' | 'notify' | 'onStarted'>

/** `kotef watch`: in the foreground until a signal, or `--detach`, or `--stop`. */
export async function run(call: WatchCall): Promise<VerbOutput | null> {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['stop']) return stopDaemon(workspace)
  for (const line of await prepareWorktree(workspace, call)) call.notify(line)
  return call.options['detach'] ? startDetached(workspace) : runInForeground(workspace, call)
}

async function runInForeground(workspace: Workspace, call: WatchCall): Promise<null> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const log = join(layoutOf(workspace).own, LOG_NAME)
  const emit = (event: DaemonEvent): void => {
    if (event.event === 'ready') setImmediate(reduceMemory, call)
    if (event.event === 'ready' && process.connected) process.send?.({ ready: event })
    const line = eventLine(event, call.options)
    if (line === null) return
    rotateLog(log)
    call.print(line)
  }
  try {
    await watchWorktree(workspace, { call, emit, stop })
  } catch (thrown) {
    const { code, message, hint } = toKotefError(thrown)
    if (process.connected) process.send?.({ error: { code, message, hint } })
    throw thrown
  } finally {
    if (process.connected) process.disconnect()
  }
  return null
}

// What watches all day is to take little room, and has time to clear up. Else V8 waits until 50 MB lie about. After a
// flag was set it takes nothing that was compiled before, not even Node's own modules.
function reduceMemory({ onStarted }: WatchCall): void {
  onStarted()
  setFlagsFromString('--optimize-for-size')
}

type ForegroundRun = {
  readonly call: WatchCall
  readonly emit: (event: DaemonEvent) => void
  readonly stop: AbortController
}

/** Watches what stands at a place, also when it is replaced by another repository, until it is gone. */
async function watchWorktree(workspace: Workspace, { call, emit, stop }: ForegroundRun): Promise<void> {
  const ending = await runDaemon(workspace, { config: await loadConfig(workspace), emit, stop })
  if (ending === 'stopped') return
  const next = ending === 'replaced' ? await openWorkspace(workspace.root).catch(() => null) : null
  // Without a git directory of its own, git would answer for a repository around it.
  const isHere = next?.root === workspace.root && next.gitDir === workspace.gitDir
  const message = isHere
    ? `${workspace.root} was replaced by another repository; restarting.`
    : `${workspace.root} is no longer a repository; stopping.`
  emit({ event: 'problem', code: 'not-a-repo', message })
  if (!isHere) return emit({ event: 'stopped' })
  await prepareWorktree(next, { ...call, interactive: false })
  return watchWorktree(next, { call, emit, stop })
}

function eventLine(event: DaemonEvent, { json, quiet }: Readonly<Record<string, unknown>>): string | null {
  if (quiet && event.event === 'recorded') return null
  if (json) return JSON.stringify(event.event === 'recorded' ? event.record : event)
  if (event.event === 'problem') return `problem: ${event.message}`
  if (quiet) return null
  if (event.event === 'recorded') return recordLine(event.record)
  if (event.event === 'stopped') return 'kotef stopped watching.'
  const before = event.preexisting > 0 ? `; ${plural(event.preexisting, 'file')} had changed before it started` : ''
  return `kotef is watching (pid ${event.pid})${before}. Stop it with Ctrl-C.`
}

/** Starts a daemon of its own process and returns when it is ready. */
async function startDetached(workspace: Workspace): Promise<VerbOutput> {
  const { own } = layoutOf(workspace)
  await mkdir(own, { recursive: true })
  const log = await open(join(own, LOG_NAME), 'a', 0o600)
  const child = spawn(process.execPath, [packageFile('dist/main.cjs'), 'watch', '--json', '--quiet'], {
    cwd: workspace.root,
    env: daemonEnvironment(process.env),
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  const reply = await new Promise<StartMessage>(resolve => {
    child.once('message', message => resolve(message as StartMessage))
    child.once('exit', code =>
      resolve({ error: { code: 'daemon-failed', message: `The daemon exited with ${code}.` } }),
    )
  })
  child.disconnect()
  child.unref()
  await log.close()
  if ('error' in reply)
    throw new KotefError(reply.error.code, reply.error.message, reply.error.hint ? { hint: reply.error.hint } : {})
  const address = await readDaemonAddress(workspace)
  return {
    text: `kotef is watching (pid ${reply.ready.pid}). Stop it with \`kotef watch --stop\`.`,
    json: { running: true, ...publicAddress(address) },
  }
}

const LOG_NAME = 'daemon.log'

// Whoever is started by a git hook has been told of one command's index, and of settings that are for it alone.
function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_CONFIG_PARAMETERS: _, ...more } = withoutRepositoryEnv(env)
  return more
}

type StartMessage =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: { readonly code: FailureCode; readonly message: string; readonly hint?: string } }

function publicAddress(address: { readonly pid: number; readonly since: string } | null) {
  return address && { pid: address.pid, since: address.since }
}

const STOP_WAIT_MS_MAX = 15_000

/** Tells the daemon to stop and returns when it has. */
async function stopDaemon(workspace: Workspace): Promise<VerbOutput> {
  const address = await readDaemonAddress(workspace)
  const answers = await askDaemon(workspace, { ask: 'stop' })
  if (!answers) throw new KotefError('daemon-not-running', `No daemon is watching ${workspace.root}`)
  for await (const _ of answers) continue
  const until = Date.now() + STOP_WAIT_MS_MAX
  while (address && isRunning(address.pid)) {
    if (Date.now() > until) throw new KotefError('daemon-failed', `The daemon (pid ${address.pid}) does not stop.`)
    await delay(5)
  }
  return {
    text: `kotef stopped watching (pid ${address?.pid}).`,
    json: { running: false, stopped: address?.pid ?? null },
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
