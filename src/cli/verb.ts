import type { Command } from 'commander'
import type { BlameChunk } from '../git/blame.ts'
import type { VerbOutput } from '../report/verb-output.ts'

/** One call of a verb: its arguments and flags, and the environment it runs in. */
export type VerbCall = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The whole commander program, for help and completion. */
  readonly program: Command
  /** Positional arguments, in order; a variadic one is an array. */
  readonly args: readonly (string | readonly string[] | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
  /** True when stdin and stdout are a terminal. */
  readonly interactive: boolean
  /** Asks a person a yes-or-no question; only when `interactive`. An aborted question is false. */
  readonly confirm: (question: string) => Promise<boolean>
  /** Lets a person choose some of these; only when `interactive`. An aborted question is an empty list. */
  readonly choose: (question: string, choices: readonly string[]) => Promise<readonly string[]>
  /** The output of `git blame` that `boot/prefetch-blame.ts` started; null when not started, or resolved to null. */
  readonly prefetchedBlame: Promise<readonly BlameChunk[] | null> | null
  /** Called by a verb that runs for hours once it has started: the code loaded so far goes to the compile cache. */
  readonly onStarted: () => void
  /** Prints one line to stdout immediately, for verbs that stream. */
  readonly print: (line: string) => void
  /** Prints one line to stderr. */
  readonly notify: (line: string) => void
}

/** Runs a verb; null when it has printed its answer itself. */
export type RunVerb = (call: VerbCall) => Promise<VerbOutput | null>

/** One verb of the command line, with what parsing and help need; its code is loaded when it is called. */
export type Verb = {
  /** The words after `kotef`, with commander's argument syntax: `intent start <id>`. */
  readonly usage: string
  readonly summary: string
  /** A command to paste, shown by --help. */
  readonly example: string
  /** True for a verb that only programs call; help doesn't list it. */
  readonly hidden?: true
  readonly addOptions?: (command: Command) => Command
  readonly load: () => Promise<{ run: RunVerb }>
}
