import { writeSync } from 'node:fs'
import { isatty, WriteStream } from 'node:tty'
import { escapeForTerminal } from '../../core/base/printable.ts'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { terminalText } from '../../core/report/terminal-text.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import type { LoadHelper } from './hook-context.ts'
import { runHook } from './run-hook.ts'

/** Answers git as the hook that the arguments name. */
export async function run(loadHelper: LoadHelper): Promise<void> {
  const [hook = '', ...args] = process.argv.slice(2)
  const { exit, text } = await runHook(hook, args, loadHelper)
  // Node's own streams take a moment to set up.
  if (text !== '') writeSync(2, `${shown(escapeForTerminal(withTypedName(text, typedName(process.env))))}\n`)
  // Exit codes that no broken or emptied script has; the shell script around this turns them into 0 and 1.
  process.exitCode = exit === 0 ? 87 : 88
}

// The shell script reads what is printed here, and passes on the stderr that git gave it.
const STDERR_OF_GIT = 3

function shown(text: string): string {
  if (!isatty(STDERR_OF_GIT)) return text
  return terminalText(text, 'verdict', { columns: new WriteStream(STDERR_OF_GIT).columns, env: process.env })
}
