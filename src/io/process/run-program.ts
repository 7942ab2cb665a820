import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'

/** How a program ended: its exit code (128 and more when a signal ended it), null when it could not be started. */
export type ProgramResult = { readonly exit: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a program to its end. Its failure is an answer. */
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
