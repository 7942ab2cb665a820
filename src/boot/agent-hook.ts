import { writeSync } from 'node:fs'
import { run } from '../cli/agent-hook.ts'
import { escapeForTerminal } from '../text/printable.ts'

let isJudged = false

/** True when the hook has judged a call by the worktree's facts: V8 has then compiled most of what a hook needs. */
export function isWarm(): boolean {
  return isJudged
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
    isJudged = answer.isJudged
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
