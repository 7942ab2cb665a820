import { KotefError, toKotefError } from './report/failure.ts'
import { harmless } from './report/printable.ts'

const words = process.argv.slice(2)
const json = words.includes('--json')

// Whoever read along has left: a daemon stops, like any other program. No room for a line is no reason to.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.kill(process.pid, 'SIGTERM')
})

const around = {
  cwd: process.cwd(),
  env: process.env,
  interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  say: (line: string) => process.stdout.write(`${spoken(line)}\n`),
  tell: (line: string) => process.stderr.write(`${harmless(line)}\n`),
}

try {
  const answer = await (await import('./cli/program.ts')).runCommandLine(words, around)
  if (answer) {
    const text = json ? JSON.stringify(answer.json, null, 2) : harmless(answer.text)
    if (text !== '') process.stdout.write(`${text}\n`)
    process.exitCode = answer.exit ?? 0
  }
} catch (thrown) {
  printFailure(toKotefError(thrown))
}

function printFailure(error: KotefError): void {
  const { code, message, hint } = error
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`)
  else process.stderr.write(harmless(`kotef: ${message}\n  ${hint}\n`))
  if (code === 'bug' && process.env['KOTEF_LOG'] === 'debug') process.stderr.write(`${(error.cause as Error).stack}\n`)
  process.exitCode = error.exit
}

// A JSON document has its own way to spell what a terminal would obey.
function spoken(line: string): string {
  return json ? line : harmless(line)
}
