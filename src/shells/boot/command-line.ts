import type { VerbCall } from '../cli/verb.ts'
import { showInPager } from '../cli/pager.ts'
import type { textAtTerminal } from '../cli/text-at-terminal.ts'
import { KotefError, toKotefError } from '../../core/base/failure.ts'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import { escapeForTerminal } from '../../core/base/printable.ts'

/** Runs one command line, prints its answer or failure, and sets the exit code. */
export async function main(args: readonly string[], caller: Pick<VerbCall, 'prefetched' | 'onStarted'>): Promise<void> {
  const json = args.includes('--json')
  // EPIPE: the reader of stdout is gone, so exit as any program would. ENOSPC is not a reason to exit.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.kill(process.pid, 'SIGTERM')
  })
  try {
    const { runCommandLine } = await import('../cli/program.ts')
    const answer = await runCommandLine(args, { ...callContext(), ...caller })
    if (!answer) return
    process.exitCode = answer.exit ?? 0
    const isRead = !json && answer.forReading !== undefined && process.stdout.isTTY
    const said = json ? JSON.stringify(answer.json, null, 2) : answer.forReading ? answer.text : asTyped(answer.text)
    const call = { words: args, kind: answer.forReading }
    const text = json ? escapeForTerminal(said) : await shownAt(process.stdout, said, call)
    if (isRead && (await showInPager(`${text}\n`, process.cwd()))) process.exit()
    // The answer is complete: exit without waiting for other pending work.
    process.stdout.write(text === '' ? '' : `${text}\n`, failed => {
      if (!failed) process.stderr.write('', () => process.exit())
    })
  } catch (thrown) {
    await printFailure(toKotefError(thrown), json)
  }
}

// Not where the text can be that of a file or of a commit.
function asTyped(text: string): string {
  return withTypedName(text, typedName(process.env))
}

// Text of others is escaped before kotef adds colours of its own.
async function shownAt(
  stream: NodeJS.WriteStream,
  text: string,
  call: Parameters<typeof textAtTerminal>[1],
): Promise<string> {
  const plain = escapeForTerminal(text)
  if (!stream.isTTY) return plain
  const { textAtTerminal } = await import('../cli/text-at-terminal.ts')
  return textAtTerminal(plain, call, { columns: stream.columns, env: process.env })
}

/** Loads a module of `lazy-modules.ts` for the smaller programs, whose bundles don't contain it. */
export async function loadLazyModule(name: string): Promise<unknown> {
  const { LAZY_MODULES: modules } = await import('./lazy-modules.ts')
  return modules[name]?.()
}

function callContext() {
  return {
    cwd: process.cwd(),
    endNow: () => process.exit(),
    env: process.env,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
    print: (line: string) => process.stdout.write(`${escapeForTerminal(line)}\n`),
    notify: (line: string) => process.stderr.write(`${escapeForTerminal(line)}\n`),
  }
}

async function printFailure(error: KotefError, json: boolean): Promise<void> {
  const { code, message, hint } = error
  if (json) process.stdout.write(`${escapeForTerminal(JSON.stringify({ error: { code, message, hint } }))}\n`)
  else {
    const text = asTyped(`kotef: ${message}\n  ${hint}\n`)
    process.stderr.write(await shownAt(process.stderr, text, { words: [], kind: 'verdict' }))
  }
  if (code === 'bug' && process.env['KOTEF_LOG'] === 'debug') process.stderr.write(`${(error.cause as Error).stack}\n`)
  process.exitCode = error.exit
}
