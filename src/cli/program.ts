import { Command, CommanderError, Option } from 'commander'
import { KotefError } from '../report/failure.ts'
import type { Answer } from '../report/answer.ts'
import { VERSION } from '../package.ts'
import type { Call, Verb } from './verb.ts'
import { verbs } from './verbs.ts'

export type Surroundings = Pick<Call, 'cwd' | 'env' | 'interactive' | 'say' | 'tell' | 'blamed' | 'begun'>

/** Runs one command line; null when there is nothing left to print. Throws a KotefError when it can't be answered. */
export async function runCommandLine(words: readonly string[], around: Surroundings): Promise<Answer | null> {
  let answer: Answer | null = null
  const program = programOf(verbsFor(words), around, it => (answer = it))
  await program.parseAsync(words, { from: 'user' }).catch(asUsage)
  return answer
}

// To explain forty verbs to commander takes longer than to run most of them.
function verbsFor([first]: readonly string[]): readonly Verb[] {
  const named = verbs.filter(it => it.usage.split(' ')[0] === first)
  return named.length > 0 && !NEEDS_ALL.has(first ?? '') ? named : verbs
}

// They explain or complete all the others.
const NEEDS_ALL: ReadonlySet<string> = new Set(['complete', 'completion', 'help'])

/** The command line as commander sees it: also the ground of help and shell completion. */
function programOf(among: readonly Verb[], around: Surroundings, answered: (answer: Answer | null) => void): Command {
  const program = new Command('kotef')
    .description('Git answers, for every line: which intent wanted it, who wrote it, and was that allowed.')
    .version(VERSION)
    .addOption(new Option('--json', 'print one JSON document'))
    .exitOverride()
    .configureOutput({ writeOut: text => around.say(text.trimEnd()), writeErr: () => {} })
  for (const verb of among) addVerb(program, verb, { around, answered })
  for (const group of program.commands.filter(it => it.summary() === '')) group.summary(namesIn(group))
  return program
}

type Ends = { readonly around: Surroundings; readonly answered: (answer: Answer | null) => void }

function addVerb(program: Command, verb: Verb, { around, answered }: Ends): void {
  const words = verb.usage.split(' ')
  const [name = '', second = ''] = words
  const nested = /^[a-z]/.test(second)
  const parent = nested ? groupNamed(program, name) : program
  const command = parent.command(nested ? words.slice(1).join(' ') : verb.usage, { hidden: verb.hidden ?? false })
  command.summary(verb.summary).description(verb.summary).addHelpText('after', `\nExample:\n  $ ${verb.example}`)
  command.addOption(new Option('--json', 'print one JSON document'))
  verb.shape?.(command)
  command.action(async () => {
    const { run } = await verb.load()
    const confirm = async (question: string) => (await import('./confirm.ts')).confirmed(question)
    const choose: Call['choose'] = async (...asked) => (await import('./confirm.ts')).chosen(...asked)
    const [args, options] = [command.processedArgs, command.optsWithGlobals()]
    answered(await run({ ...around, program, confirm, choose, args, options }))
  })
}

function groupNamed(program: Command, name: string): Command {
  return program.commands.find(it => it.name() === name) ?? program.command(name)
}

function asUsage(thrown: unknown): void {
  if (!(thrown instanceof CommanderError)) throw thrown
  if (thrown.exitCode === 0) return
  // Commander's way to say that a group of verbs was called without a verb.
  if (thrown.code === 'commander.help') throw new KotefError('usage', 'A command is missing.')
  throw new KotefError('usage', thrown.message.replace(/^error: /, ''))
}

function namesIn(group: Command): string {
  return group.commands.map(it => it.name()).join(', ')
}
