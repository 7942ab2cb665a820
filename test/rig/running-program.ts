import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ProgramOptions } from './run-program.ts'

/** A program that goes on running. Nothing here sleeps: a test waits for a line, or for the end. */
export type RunningProgram = AsyncDisposable & {
  readonly pid: number
  /** The next line, of stdout or stderr, that matches; rejected when the program ends without it. */
  line(pattern: RegExp): Promise<string>
  type(text: string): void
  /** Ends what it reads from. */
  close(): void
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** All lines so far, in the order in which they came. */
  readonly lines: readonly string[]
}

/** Starts a program; `await using` it, so that it is killed when the test is over. */
export function startProgram(command: string, args: readonly string[], { cwd, env }: ProgramOptions): RunningProgram {
  const child = spawn(command, args, { cwd, env })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const wake = () => waiting.forEach(look => look())
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  let over = false
  ended.finally(() => ((over = true), wake())).catch(() => {})
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', line => (lines.push(line), wake()))
  }

  child.stdin.on('error', () => {}) // Typing at a program that has just ended is no failure.

  let read = 0
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.findIndex((it, index) => index >= read && pattern.test(it))
        if (found < 0 && !over) return
        waiting.delete(look)
        if (found < 0) return reject(new Error(`${command} ended without ${pattern}:\n${lines.join('\n')}`))
        read = found + 1
        resolve(lines[found] ?? '')
      }
      waiting.add(look)
      look()
    })

  return {
    pid: child.pid ?? -1,
    line,
    lines,
    ended,
    type: text => void child.stdin.write(text),
    close: () => void child.stdin.end(),
    signal: name => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
