import { type ChildProcess, fork } from 'node:child_process'

/** Why a program gave no answer: it took too long, or it ended. */
export type NoAnswer = 'timeout' | 'died'

/** Limits of a program. */
export type ProgramLimits = {
  /** How long it may take for an answer, and how much longer for its first one. */
  readonly answerMsMax: number
  readonly startMsMax: number
  /** How much memory V8 may use. */
  readonly heapMiB: number
  /** How long it goes on without a question; for ever by default. */
  readonly idleMsMax?: number
}

/** A file of JavaScript, and the words for it. */
export type ProgramFile = { readonly file: string; readonly args?: readonly string[] }

/**
 * A Node program in a child process that answers one question after the other. The first question starts it; one that
 * it does not answer ends it, and the next one starts it again.
 */
export class ChildProgram<Question extends object, Answer> implements Disposable {
  readonly #program: ProgramFile
  readonly #limits: ProgramLimits
  #child: ChildProcess | null = null
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(program: ProgramFile, limits: ProgramLimits) {
    this.#program = program
    this.#limits = limits
  }

  /** The answer, or why there is none. */
  ask(question: Question): Promise<Answer | NoAnswer> {
    const answer = this.#last.then(() => this.#answerTo(question))
    this.#last = answer
    return answer
  }

  /** True when it ended by itself after its last answer. The next question starts it again. */
  get hasDied(): boolean {
    return this.#child?.connected === false
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle)
    if (this.#child) stopListening(this.#child)
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  #answerTo(question: Question): Promise<Answer | NoAnswer> {
    const { answerMsMax, startMsMax } = this.#limits
    clearTimeout(this.#idle)
    if (this.hasDied) this[Symbol.dispose]()
    const msMax = answerMsMax + (this.#child === null ? startMsMax : 0)
    const child = (this.#child ??= this.#start())
    return new Promise(resolve => {
      const settle = (answer: Answer | NoAnswer): void => {
        clearTimeout(timer)
        stopListening(child)
        if (answer === 'timeout' || answer === 'died') this[Symbol.dispose]()
        else this.#waitIdle()
        resolve(answer)
      }
      const timer = setTimeout(settle, msMax, 'timeout')
      child.once('message', message => settle(message as Answer))
      child.once('error', () => settle('died')).once('exit', () => settle('died'))
      child.send(question, error => error && settle('died'))
    })
  }

  #waitIdle(): void {
    const { idleMsMax } = this.#limits
    if (idleMsMax !== undefined) this.#idle = setTimeout(() => this[Symbol.dispose](), idleMsMax).unref()
  }

  #start(): ChildProcess {
    // Options of the caller are not meant for it, and what it prints must not mix with the caller's answer.
    const env = { ...process.env, NODE_OPTIONS: '' }
    const execArgv = [`--max-old-space-size=${this.#limits.heapMiB}`]
    const { file, args = [] } = this.#program
    const child = fork(file, args, { env, execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    // The caller ends when its work is done, and the end of the channel ends the program.
    child.unref()
    child.channel?.unref()
    return child
  }
}

// An error without a listener would end the caller.
function stopListening(child: ChildProcess): void {
  for (const it of ['message', 'exit', 'error']) child.removeAllListeners(it)
  child.on('error', () => {})
}
