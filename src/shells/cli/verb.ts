import type { Choice, TextQuestion } from './prompts.ts'
import { type Command, Option } from 'commander'
import type { BlameChunk } from '../../core/git/blame.ts'
import type { WatchThread } from '../../world/io/watch/directories.ts'
import type { PrefetchedScan } from '../../world/recording/observation/baseline.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { KotefError } from '../../core/base/failure.ts'

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
  /** Asks a person a yes-or-no question; only when `interactive`. Throws `aborted` at Ctrl-C, as those below. */
  readonly confirm: (question: string) => Promise<boolean>
  /** Lets a person choose some of these, of which some are selected at first; only when `interactive`. */
  readonly choose: (
    question: string,
    choices: readonly Choice[],
    selected: readonly string[],
  ) => Promise<readonly string[]>
  /** Lets a person choose one of these; only when `interactive`. */
  readonly pick: (question: string, choices: readonly Choice[]) => Promise<string>
  /** Asks for a line of text; only when `interactive`. */
  readonly ask: (question: string, how: TextQuestion) => Promise<string>
  /** What `shells/boot/prefetch.ts` started: git's answers, and a thread that watches. */
  readonly prefetched: {
    /** Resolves to null when git fails, and the verb runs git again for the reason. */
    readonly blame: Promise<readonly BlameChunk[] | null> | null
    readonly scan: PrefetchedScan | null
    readonly watchThread: WatchThread | null
  }
  /** Called by a verb that runs for hours once it has started: the code loaded so far goes to the compile cache. */
  readonly onStarted: () => void
  /** Ends the process at once, for a verb that runs for hours and has to stop. */
  readonly endNow: () => void
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

/** A flag's text, or null when the call doesn't have it. */
export function textOption({ options }: Pick<VerbCall, 'options'>, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** A flag's text of one line, or null. Control characters are refused, because the text is printed within lines. */
export function lineOption(call: Pick<VerbCall, 'options'>, name: string): string | null {
  const value = textOption(call, name)
  if (value === null || !/\p{Cc}/u.test(value)) return value
  throw new KotefError('usage', `--${name} takes one line of text without control characters.`)
}

/** The values of a flag that may be repeated, or null when the call doesn't have it. */
export function listOption({ options }: Pick<VerbCall, 'options'>, name: string): string[] | null {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : null
}

/** Adds a flag that may be repeated. */
export function addRepeatableOption(command: Command, flags: string, description: string): Command {
  const collect = (value: string, before: unknown) => [...(Array.isArray(before) ? before.map(String) : []), value]
  return command.addOption(new Option(flags, `${description} (repeatable)`).argParser(collect))
}

/** The first positional argument. */
export function firstArgument({ args }: Pick<VerbCall, 'args'>): string {
  const [first] = args
  return typeof first === 'string' ? first : ''
}

/** A flag's value as a whole number from 1 up; anything else is a usage error. */
export function parseWholeNumber(value: unknown, flag: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new KotefError('usage', `${flag} takes a whole number from 1 up, not ${String(value)}`)
}

/** The session that a call is about: its argument, else KOTEF_SESSION, which an agent's processes inherit. */
export function namedSession(call: Pick<VerbCall, 'args' | 'env'>): string | null {
  return firstArgument(call) || call.env['KOTEF_SESSION'] || null
}
