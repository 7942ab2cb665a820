import { shellQuoted } from '../../src/core/base/printable.ts'
import type { RunningProgram } from './running-program.ts'
import type { Repo } from './repo.ts'

/** Runs a command line of kotef at a pseudo terminal of ordinary width, at which a test can type. */
export function startAtTerminal(
  repo: Repo,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  return startCommandAtTerminal(repo, `exec kotef ${words.map(shellQuoted).join(' ')}`, env)
}

/** A person approves there what is changed; the exit code. */
export async function approveAtTerminal(repo: Repo): Promise<number | null> {
  await using terminal = startAtTerminal(repo, ['approve'])
  await terminal.line(/exactly as shown above/)
  terminal.type('y')
  return (await terminal.ended).code
}

/** Runs any command line there. */
export function startCommandAtTerminal(
  repo: Repo,
  commands: string,
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const command = `stty cols 200 rows 50; ${commands}`
  return repo.start('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], { env })
}
