import type { VerbCall } from '../cli/verb.ts'
import { KotefError, toKotefError } from '../findings/failure.ts'
import { escapeForTerminal } from '../text/printable.ts'

/** Runs one command line to its end, and prints what came of it. Of a file to blame, git may have begun already. */
export async function main(
  words: readonly string[],
  caller: Pick<VerbCall, 'prefetchedBlame' | 'onStarted'>,
): Promise<void> {
  const json = words.includes('--json')
  // Whoever read along has left: a daemon stops, like any other program. No room for a line is no reason to.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.kill(process.pid, 'SIGTERM')
  })
  try {
    const { runCommandLine } = await import('../cli/program.ts')
    const answer = await runCommandLine(words, { ...callContext(json), ...caller })
    if (!answer) return
    const text = json ? JSON.stringify(answer.json, null, 2) : escapeForTerminal(answer.text)
    process.exitCode = answer.exit ?? 0
    // Whatever else was begun, nobody waits for it any more.
    process.stdout.write(text === '' ? '' : `${text}\n`, failed => {
      if (!failed) process.stderr.write('', () => process.exit())
    })
  } catch (thrown) {
    printFailure(toKotefError(thrown), json)
  }
}

/** A module that the smaller programs seldom need, and leave to this one. */
export async function loadLazyModule(name: string): Promise<unknown> {
  const { LAZY_MODULES: modules } = await import('./lazy-modules.ts')
  return modules[name]?.()
}

function callContext(json: boolean) {
  return {
    cwd: process.cwd(),
    env: process.env,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
    // A JSON document has its own way to spell what a terminal would obey.
    print: (line: string) => process.stdout.write(`${json ? line : escapeForTerminal(line)}\n`),
    notify: (line: string) => process.stderr.write(`${escapeForTerminal(line)}\n`),
  }
}

function printFailure(error: KotefError, json: boolean): void {
  const { code, message, hint } = error
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`)
  else process.stderr.write(escapeForTerminal(`kotef: ${message}\n  ${hint}\n`))
  if (code === 'bug' && process.env['KOTEF_LOG'] === 'debug') process.stderr.write(`${(error.cause as Error).stack}\n`)
  process.exitCode = error.exit
}
