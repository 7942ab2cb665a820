import { run } from './cli/agent-hook.ts'
import { harmless } from './report/printable.ts'

/** The program that `main.ts` loads for an agent's hook. */
const tell = (line: string): boolean => process.stderr.write(`${harmless(line)}\n`)

run({ args: process.argv.slice(3), cwd: process.cwd(), tell }).then(
  ({ text, exit = 0 }) => {
    if (text !== '') process.stdout.write(`${harmless(text)}\n`)
    process.exitCode = exit
  },
  (thrown: unknown) => {
    tell(`kotef: its hook failed. ${String(thrown)}`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  },
)
