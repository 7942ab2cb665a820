import type { Command } from 'commander'
import type { BlameChunk } from '../git/blame.ts'
import type { VerbOutput } from '../report/verb-output.ts'

/** What a verb is told: the words and flags of the call, and the surroundings it runs in. */
export type VerbCall = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The whole command line, for what explains or completes it. */
  readonly program: Command
  /** Positional arguments, in order; a variadic one is an array. */
  readonly args: readonly (string | readonly string[] | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
  /** True when a person sits at both ends. */
  readonly interactive: boolean
  /** Asks a person; only when `interactive`. False is also an aborted question. */
  readonly confirm: (question: string) => Promise<boolean>
  /** Lets a person choose of these; only when `interactive`. None is also an aborted question. */
  readonly choose: (question: string, among: readonly string[]) => Promise<readonly string[]>
  /** What git says of the file to blame, where it has begun with that before anything else; it may come to null. */
  readonly prefetchedBlame: Promise<readonly BlameChunk[] | null> | null
  /** Says that all is loaded that a verb which goes on for long takes to begin. */
  readonly onStarted: () => void
  /** Prints one line to stdout at once, for verbs that stream. */
  readonly print: (line: string) => void
  /** Prints one line of conversation to stderr. */
  readonly notify: (line: string) => void
}

/** Runs a verb; null when it has printed all it had to say by itself. */
export type RunVerb = (call: VerbCall) => Promise<VerbOutput | null>

/** One verb of the command line: enough to parse and to explain it; its code is loaded when it is called. */
export type Verb = {
  /** The words after `kotef`, with commander's argument syntax: `intent start <id>`. */
  readonly usage: string
  readonly summary: string
  /** A command to paste, shown by --help. */
  readonly example: string
  /** True for what is called by programs only; help doesn't list it. */
  readonly hidden?: true
  readonly addOptions?: (command: Command) => Command
  readonly load: () => Promise<{ run: RunVerb }>
}
