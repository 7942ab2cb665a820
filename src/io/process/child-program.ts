import { type ChildProcess, fork } from 'node:child_process'

/** Why a program gave no answer: it took too long, or it ended. */
export type NoAnswer = 'timeout' | 'died'

/** A program in a child process that answers one question after the other. It is started by the first one. */
export type ChildProgram<Question, Answer> = Disposable & {
  /** Its answer; or why there is none. Then the program is ended, and the next question starts it again. */
  ask(question: Question): Promise<Answer | NoAnswer>
}

/** Starts a Node program for questions, each with a limit of its time; the first one may take `startMsMax` longer. */
export function openChildProgram<Question extends object, Answer>(
  file: string,
  { answerMsMax, startMsMax, heapMiB }: { answerMsMax: number; startMsMax: number; heapMiB: number },
): ChildProgram<Question, Answer> {
  let child: ChildProcess | null = null
  let last: Promise<unknown> = Promise.resolve()

  const start = (): ChildProcess => {
    // Output of the parser must not mix with that of the verb, and options of the caller are not meant for it.
    const env = { ...process.env, NODE_OPTIONS: '' }
    const started = fork(file, {
      env,
      execArgv: [`--max-old-space-size=${heapMiB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The caller ends when its work is done, and the channel's end ends the program.
    started.unref()
    started.channel?.unref()
    return started
  }

  const end = (): void => {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = null
  }

  const answerTo = (question: Question): Promise<Answer | NoAnswer> => {
    const msMax = answerMsMax + (child === null ? startMsMax : 0)
    const asked = (child ??= start())
    return new Promise(resolve => {
      const settle = (answer: Answer | NoAnswer): void => {
        clearTimeout(timer)
        asked.removeAllListeners()
        if (answer === 'timeout' || answer === 'died') end()
        resolve(answer)
      }
      const timer = setTimeout(settle, msMax, 'timeout')
      asked.once('message', message => settle(message as Answer))
      asked.once('error', () => settle('died')).once('exit', () => settle('died'))
      asked.send(question, error => error && settle('died'))
    })
  }

  return {
    ask(question) {
      const answer = last.then(() => answerTo(question))
      last = answer
      return answer
    },
    [Symbol.dispose]: end,
  }
}
