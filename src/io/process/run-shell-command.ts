import { spawn } from 'node:child_process'

/** How a command ended: its exit code (null when it was stopped or never started) and the end of what it printed. */
export type CommandResult = { readonly exit: number | null; readonly timedOut: boolean; readonly tail: string }

export type ShellCommandOptions = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
}

const TAIL_CHARS_MAX = 4_000

/** Runs a command line in a shell, to its end or to its timeout; what it leaves running is ended with it. */
export function runShellCommand(command: string, { cwd, env, timeoutMs }: ShellCommandOptions): Promise<CommandResult> {
  // A group of its own, so that its end also reaches what the shell started.
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let result: CommandResult = { exit: null, timedOut: false, tail: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      result = { ...result, tail: (result.tail + text).slice(-TAIL_CHARS_MAX) }
    })
  }
  const timer = setTimeout(() => {
    result = { ...result, timedOut: true }
    endGroup(child.pid)
    // A program that left the group may hold the pipes for ever.
    child.stdout.destroy()
    child.stderr.destroy()
  }, timeoutMs)
  child.once('exit', code => {
    result = { ...result, exit: result.timedOut ? null : code }
    endGroup(child.pid)
  })
  return new Promise<CommandResult>(resolve => {
    child.once('error', error => resolve({ ...result, tail: error.message }))
    child.once('close', () => resolve({ ...result, tail: result.tail.trimEnd() }))
  }).finally(() => clearTimeout(timer))
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group: that is what was wanted.
  }
}
