import { writeSync } from 'node:fs'
import { run } from '../cli/agent-hook.ts'
import { escapeForTerminal } from '../text/printable.ts'

let isJudged = false

/** True when the hook has judged a call by the worktree's facts: V8 has then compiled most of what a hook needs. */
export function isWarm(): boolean {
  return isJudged
}

let isAllWritten = true

/** The program that `main.ts` loads for an agent's hook. Node's own streams take a moment to set up. */
const print = (file: 1 | 2, line: string): void => {
  const bytes = Buffer.from(`${escapeForTerminal(line)}\n`)
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(file, bytes, at)
  } catch {
    // Who reads has not come that far yet, or has left.
    isAllWritten = false
    const stream = file === 1 ? process.stdout : process.stderr
    stream.on('error', () => {}).write(bytes.subarray(at))
  }
}
const printError = (line: string): void => print(2, line)

run({ args: process.argv.slice(3), cwd: process.cwd(), notify: printError }).then(
  ({ text, exit = 0, ...answer }) => {
    isJudged = answer.isJudged
    if (text !== '') print(1, text)
    process.exitCode = exit
    // To take everything down in good order takes a while, and there is nothing that could be lost.
    if (isAllWritten) process.exit()
  },
  (thrown: unknown) => {
    printError(`kotef: the agent hook failed. ${String(thrown)}`)
    // To most agents 2 is the one exit code that stops them.
    process.exitCode = 2
  },
)
