import { beforeSignal } from './before-signal.ts'
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'

/** How a program ended: its exit code, 128 + n after signal n, or null when it could not be started. */
export type ProgramResult = { readonly exit: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a program to its end. A failing program is a result, not an error. */
export async function runProgram(
  command: string,
  args: readonly string[],
  around: { cwd: string; env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<ProgramResult> {
  const child = spawn(command, args, { ...around, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('close', (code, signal) => resolve(code ?? (signal ? 128 + constants.signals[signal] : null)))
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exit: await exit, stdout, stderr }
}

/** Starts a program that goes on by itself when it has not ended after `waitMsMax`. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { waitMsMax, ...around }: { cwd: string; env: NodeJS.ProcessEnv; waitMsMax: number },
): Promise<void> {
  const child = spawn(command, args, { ...around, detached: true, stdio: 'ignore' })
  child.unref()
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, waitMsMax)
    const ended = (): void => (clearTimeout(timer), resolve())
    child.once('error', ended).once('exit', ended)
  })
}

/** How a command ended: its exit code, null when it was stopped or never started, and the end of its output. */
export type CommandResult = { readonly exit: number | null; readonly timedOut: boolean; readonly tail: string }

export type ShellCommandOptions = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  /** Takes what the command prints, as it comes. */
  readonly printed?: (text: string) => void
}

const TAIL_CHARS_MAX = 4_000

/** Runs a command line in a shell, to its end or its timeout. Then all processes that it left running are killed. */
export function runShellCommand(
  command: string,
  { cwd, env, timeoutMs, printed }: ShellCommandOptions,
): Promise<CommandResult> {
  // The shell leads a process group, so that one signal reaches all processes that it started.
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let result: CommandResult = { exit: null, timedOut: false, tail: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      result = { ...result, tail: (result.tail + text).slice(-TAIL_CHARS_MAX) }
      printed?.(text)
    })
  }
  const timer = setTimeout(() => {
    result = { ...result, timedOut: true }
    endGroup(child.pid)
    // A process that left the group may keep the pipes open for ever.
    child.stdout.destroy()
    child.stderr.destroy()
  }, timeoutMs)
  child.once('exit', code => {
    result = { ...result, exit: result.timedOut ? null : code }
    endGroup(child.pid)
  })
  // A terminal's Ctrl-C does not reach a process group of its own: who ends this process ends the group first.
  const forget = beforeSignal(() => endGroup(child.pid))
  return new Promise<CommandResult>(resolve => {
    child.once('error', error => resolve({ ...result, tail: error.message }))
    child.once('close', () => resolve({ ...result, tail: result.tail.trimEnd() }))
  }).finally(() => {
    clearTimeout(timer)
    forget()
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
}

/** Runs a program to its end: its exit code, null when a signal ended it, and what it printed. */
export function runSync(
  program: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(program, args, { encoding: 'utf8', input, maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'] })
}

const LF = 0x0a
const LINE_BYTES_MAX = 268_435_456

/**
 * The lines of a stream without their LF, in the batches in which they arrive. A last line needs no LF. Throws for a
 * line that is too long to be kept.
 */
export async function* streamLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[], void> {
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const chunk of stream) {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end)
      lines.push(rest.length > 0 ? Buffer.concat([...rest, part]) : part)
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
    restBytes = start === 0 ? restBytes + chunk.length : chunk.length - start
    if (restBytes > LINE_BYTES_MAX) throw new Error(`a line has more than ${LINE_BYTES_MAX} bytes`)
    yield lines
  }
  if (rest.length > 0) yield [Buffer.concat(rest)]
}
