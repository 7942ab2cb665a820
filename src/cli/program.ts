import { Command, CommanderError, Option } from 'commander'
import { KotefError } from '../findings/failure.ts'
import type { VerbOutput } from '../report/verb-output.ts'
import { VERSION } from '../io/files/package.ts'
import type { Verb, VerbCall } from './verb.ts'
import { verbs } from './verbs.ts'

export type CallContext = Pick<
  VerbCall,
  'cwd' | 'env' | 'interactive' | 'print' | 'notify' | 'prefetchedBlame' | 'onStarted'
>

/** Runs one command line; null when it has printed its answer itself. Throws a KotefError when it has no answer. */
export async function runCommandLine(args: readonly string[], context: CallContext): Promise<VerbOutput | null> {
  let answer: VerbOutput | null = null
  const program = buildProgram(verbsFor(args), context, it => (answer = it))
  await program.parseAsync(args, { from: 'user' }).catch(rethrowAsUsage)
  return answer
}

// Declaring all forty verbs to commander takes longer than running most of them.
function verbsFor([first]: readonly string[]): readonly Verb[] {
  const matching = verbs.filter(it => it.usage.split(' ')[0] === first)
  return matching.length > 0 && !NEEDS_ALL.has(first ?? '') ? matching : verbs
}

// These verbs describe or complete all others.
const NEEDS_ALL: ReadonlySet<string> = new Set(['complete', 'completion', 'help'])

/** The command line as a commander program; help and shell completion are made from it too. */
function buildProgram(
  verbsOfCall: readonly Verb[],
  context: CallContext,
  onAnswer: (answer: VerbOutput | null) => void,
): Command {
  const program = new Command('kotef')
    .description('Git answers, for every line: which intent wanted it, who wrote it, and was that allowed.')
    .version(VERSION)
    .addOption(new Option('--json', 'print one JSON document'))
    .exitOverride()
    .configureOutput({ writeOut: text => context.print(text.trimEnd()), writeErr: () => {} })
  for (const verb of verbsOfCall) addVerb(program, verb, { context, onAnswer })
  for (const group of program.commands.filter(it => it.summary() === ''))
    group.summary(group.commands.map(it => it.name()).join(', '))
  return program
}

type VerbBinding = { readonly context: CallContext; readonly onAnswer: (answer: VerbOutput | null) => void }

function addVerb(program: Command, verb: Verb, { context, onAnswer }: VerbBinding): void {
  const words = verb.usage.split(' ')
  const [name = '', second = ''] = words
  const nested = /^[a-z]/.test(second)
  const parent = nested ? groupCommand(program, name) : program
  const command = parent.command(nested ? words.slice(1).join(' ') : verb.usage, { hidden: verb.hidden ?? false })
  command.summary(verb.summary).description(verb.summary).addHelpText('after', `\nExample:\n  $ ${verb.example}`)
  command.addOption(new Option('--json', 'print one JSON document'))
  verb.addOptions?.(command)
  command.action(async () => {
    const { run } = await verb.load()
    const confirm = async (question: string) => (await import('./prompts.ts')).askConfirmation(question)
    const choose: VerbCall['choose'] = async (...question) => (await import('./prompts.ts')).askChoice(...question)
    const [args, options] = [command.processedArgs, command.optsWithGlobals()]
    onAnswer(await run({ ...context, program, confirm, choose, args, options }))
  })
}

function groupCommand(program: Command, name: string): Command {
  return program.commands.find(it => it.name() === name) ?? program.command(name)
}

function rethrowAsUsage(thrown: unknown): void {
  if (!(thrown instanceof CommanderError)) throw thrown
  if (thrown.exitCode === 0) return
  // Commander throws this code when a group of verbs is called without a verb.
  if (thrown.code === 'commander.help') throw new KotefError('usage', 'A command is missing.')
  throw new KotefError('usage', thrown.message.replace(/^error: /, ''))
}
