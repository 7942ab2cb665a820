import { spawn } from 'node:child_process'

/** How a command ended: its exit code (null when it was stopped or never started) and the end of what it printed. */
export type CommandResult = { readonly exit: number | null; readonly timedOut: boolean; readonly tail: string }

export type CommandPlace = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
}

const TAIL_CHARS_MAX = 4_000

/** Runs a command line in a shell, to its end or to its timeout; then whatever it started is ended with it. */
export async function runCommand(command: string, { cwd, env, timeoutMs }: CommandPlace): Promise<CommandResult> {
  // A group of its own, so that the timeout also reaches what the shell started.
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let tail = ''
  let timedOut = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-TAIL_CHARS_MAX)))
  }
  const timer = setTimeout(() => {
    timedOut = true
    endGroup(child.pid)
  }, timeoutMs)
  const exit = await new Promise<number | null>(resolve => {
    child.once('error', error => {
      tail = error.message
      resolve(null)
    })
    child.once('exit', code => resolve(timedOut ? null : code))
  }).finally(() => clearTimeout(timer))
  endGroup(child.pid)
  return { exit, timedOut, tail: tail.trimEnd() }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group: that is what was wanted.
  }
}
