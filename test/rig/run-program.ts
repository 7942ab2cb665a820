import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** What a finished process left behind. When a signal ended it, `code` is 128 plus its number, as in a shell. */
export type ProgramResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type ProgramOptions = {
  readonly cwd: string
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly input?: string | Buffer | undefined
}

/** Runs a program to its end. A failing one is an outcome; one that can't be started is thrown. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, input }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(command, args, { cwd, env })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? (signal ? 128 + (signalNumbers[signal] ?? 0) : -1)))
  })
  // A program may well close its stdin before it has read all of it.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }
