import { spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { withoutPlaces } from '../io/without-places.ts'
import { packageFile } from '../package.ts'
import type { Answer } from '../report/answer.ts'
import { counted } from '../report/counted.ts'
import { type FailureCode, KotefError, toKotefError } from '../report/failure.ts'
import { liveLine } from '../report/live.ts'
import { askDaemon, readAddress } from '../workspace/daemon-address.ts'
import { loadConfig } from '../workspace/policy.ts'
import { openWorkspace, placesOf, type Workspace } from '../workspace/workspace.ts'
import { runDaemon } from './daemon.ts'
import { boundLog } from './log.ts'
import type { DaemonEvent } from './news.ts'
import { prepareTree } from './prepare.ts'

type Call = {
  readonly cwd: string
  readonly options: Readonly<Record<string, unknown>>
  readonly interactive: boolean
  readonly confirm: (question: string) => Promise<boolean>
  readonly say: (line: string) => void
  readonly tell: (line: string) => void
  readonly begun: () => void
}

/** `kotef watch`: in the foreground until a signal, or `--detach`, or `--stop`. */
export async function run(call: Call): Promise<Answer | null> {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['stop']) return stopDaemon(workspace)
  for (const line of await prepareTree(workspace, call)) call.tell(line)
  return call.options['detach'] ? detach(workspace) : stayInFront(workspace, call)
}

async function stayInFront(workspace: Workspace, call: Call): Promise<null> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const log = join(placesOf(workspace).own, LOG)
  const tell = (event: DaemonEvent): void => {
    if (event.event === 'ready') setImmediate(economise, call)
    if (event.event === 'ready' && process.connected) process.send?.({ ready: event })
    const line = lineOf(event, call.options)
    if (line === null) return
    boundLog(log)
    call.say(line)
  }
  try {
    await watchOn(workspace, { call, tell, stop })
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
function economise({ begun }: Call): void {
  begun()
  setFlagsFromString('--optimize-for-size')
}

type Telling = {
  readonly call: Call
  readonly tell: (event: DaemonEvent) => void
  readonly stop: AbortController
}

/** Watches what stands at a place, also when it is replaced by another repository, until it is gone. */
async function watchOn(workspace: Workspace, { call, tell, stop }: Telling): Promise<void> {
  const ending = await runDaemon(workspace, { config: await loadConfig(workspace), tell, stop })
  if (ending === 'stopped') return
  const next = ending === 'replaced' ? await openWorkspace(workspace.root).catch(() => null) : null
  // Without a git directory of its own, git would answer for a repository around it.
  const isHere = next?.root === workspace.root && next.gitDir === workspace.gitDir
  const message = isHere
    ? `${workspace.root} is another repository now: kotef begins anew.`
    : `${workspace.root} is no repository any more: nothing is watched.`
  tell({ event: 'problem', code: 'not-a-repo', message })
  if (!isHere) return tell({ event: 'stopped' })
  await prepareTree(next, { ...call, interactive: false })
  return watchOn(next, { call, tell, stop })
}

function lineOf(event: DaemonEvent, { json, quiet }: Readonly<Record<string, unknown>>): string | null {
  if (quiet && event.event === 'recorded') return null
  if (json) return JSON.stringify(event.event === 'recorded' ? event.record : event)
  if (event.event === 'problem') return `problem: ${event.message}`
  if (quiet) return null
  if (event.event === 'recorded') return liveLine(event.record)
  if (event.event === 'stopped') return 'kotef stopped watching.'
  const before = event.preexisting > 0 ? `; ${counted(event.preexisting, 'file')} had changed before kotef came` : ''
  return `kotef watches (process ${event.pid})${before}. Stop it with Ctrl-C.`
}

/** Starts a daemon of its own process and returns when it is ready. */
async function detach(workspace: Workspace): Promise<Answer> {
  const { own } = placesOf(workspace)
  await mkdir(own, { recursive: true })
  const log = await open(join(own, LOG), 'a', 0o600)
  const child = spawn(process.execPath, [packageFile('dist/main.cjs'), 'watch', '--json', '--quiet'], {
    cwd: workspace.root,
    env: lasting(process.env),
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  const said = await new Promise<Word>(resolve => {
    child.once('message', message => resolve(message as Word))
    child.once('exit', code => resolve({ error: { code: 'daemon-failed', message: `The daemon ended with ${code}.` } }))
  })
  child.disconnect()
  child.unref()
  await log.close()
  if ('error' in said)
    throw new KotefError(said.error.code, said.error.message, said.error.hint ? { hint: said.error.hint } : {})
  const address = await readAddress(workspace)
  return {
    text: `kotef watches (process ${said.ready.pid}). Stop it with \`kotef watch --stop\`.`,
    json: { running: true, ...publicPart(address) },
  }
}

const LOG = 'daemon.log'

// Whoever is started by a git hook has been told of one command's index, and of settings that are for it alone.
function lasting(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_CONFIG_PARAMETERS: _, ...more } = withoutPlaces(env)
  return more
}

type Word =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: { readonly code: FailureCode; readonly message: string; readonly hint?: string } }

function publicPart(address: { readonly pid: number; readonly since: string } | null) {
  return address && { pid: address.pid, since: address.since }
}

const STOP_MS_MAX = 15_000

/** Tells the daemon to stop and returns when it has. */
async function stopDaemon(workspace: Workspace): Promise<Answer> {
  const address = await readAddress(workspace)
  const answers = await askDaemon(workspace, { ask: 'stop' })
  if (!answers) throw new KotefError('daemon-not-running', `No daemon watches ${workspace.root}`)
  for await (const _ of answers) continue
  const until = Date.now() + STOP_MS_MAX
  while (address && isRunning(address.pid)) {
    if (Date.now() > until) throw new KotefError('daemon-failed', `The daemon (process ${address.pid}) does not end.`)
    await delay(5)
  }
  return {
    text: `kotef stopped watching (process ${address?.pid}).`,
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
