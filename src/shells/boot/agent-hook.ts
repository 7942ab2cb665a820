import { writeSync } from 'node:fs'
import { run } from '../cli/agent-hook.ts'
import { escapeForTerminal } from '../../core/base/printable.ts'

let use: string | null = null

/** What much of the program ran for, as the compile cache distinguishes it; null when little of it did. */
export function cacheUse(): string | null {
  return use
}

let isAllWritten = true

// Written synchronously: Node's streams take a few milliseconds to set up, and an agent waits for its hook.
const print = (fd: 1 | 2, line: string): void => {
  const bytes = Buffer.from(`${escapeForTerminal(line)}\n`)
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at)
  } catch {
    // EAGAIN: the pipe is full; a stream writes the rest. EPIPE: the reader is gone; the stream ignores that.
    isAllWritten = false
    const stream = fd === 1 ? process.stdout : process.stderr
    stream.on('error', () => {}).write(bytes.subarray(at))
  }
}
const printError = (line: string): void => print(2, line)

run({ args: process.argv.slice(3), cwd: process.cwd(), notify: printError }).then(
  ({ text, exit = 0, ...answer }) => {
    use = answer.cacheUse
    if (text !== '') print(1, text)
    process.exitCode = exit
    // A normal end of the process takes longer, and everything is written.
    if (isAllWritten) process.exit()
  },
  (thrown: unknown) => {
    printError(`kotef: the agent hook failed. ${String(thrown)}`)
    // Most agents refuse the tool call on exit code 2 only.
    process.exitCode = 2
  },
)
