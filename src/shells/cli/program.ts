import { type Argument, Command, CommanderError, Option } from 'commander'
import { generalHint, KotefError, toKotefError } from '../../core/base/failure.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { helpGroupOf, NOUNS, REST_HEADING } from './help-groups.ts'
import type { Verb, VerbCall } from './verb.ts'
import { verbs } from './verbs.ts'

export type CallContext = Pick<
  VerbCall,
  'cwd' | 'env' | 'interactive' | 'print' | 'notify' | 'prefetched' | 'onStarted' | 'endNow'
>

/** Runs one command line; null when it has printed its answer itself. Throws a KotefError when it has no answer. */
export async function runCommandLine(words: readonly string[], context: CallContext): Promise<VerbOutput | null> {
  let answer: VerbOutput | null = null
  const { listsAll, words: args } = helpWords(words)
  const listed = verbsFor(args).filter(
    it => listsAll || !isOverview(args) || helpGroupOf(nameOf(it)).heading !== REST_HEADING,
  )
  const program = buildProgram(listed, context, it => (answer = it))
  await program.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => {
    if (!(thrown instanceof CommanderError)) throw withHelpOfVerb(thrown, { args, program })
    if (thrown.exitCode === 0) return
    // Commander throws this code when a group of verbs is called without a verb.
    if (thrown.code !== 'commander.help' || args.includes('--json')) throw asUsageError(thrown, { args, program })
    answer = { text: calledCommand(program, args).helpInformation().trimEnd(), json: null }
  })
  return answer
}

/** The words of a call without the `--all` of `kotef help --all`. */
function helpWords(words: readonly string[]): { readonly listsAll: boolean; readonly words: readonly string[] } {
  const rest = words.filter(it => it !== '--all')
  const listsAll = rest.length < words.length && isOverview(rest)
  return { listsAll, words: listsAll ? rest : words }
}

/** True for a call whose answer is the list of commands. */
function isOverview(words: readonly string[]): boolean {
  return words.every(it => ['help', '--help', '-h'].includes(it))
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

function nameOf({ usage }: Verb): string {
  return usage.split(' ')[0] ?? ''
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
  const program = new Command(typedName(context.env))
    .description('Git answers, for every line: which intent wanted it, who wrote it, and was that allowed.')
    .version(VERSION, '-v, --version')
    .addOption(new Option('--json', 'print one JSON document'))
    .commandsGroup(REST_HEADING)
    .helpCommand('help [command]', 'display help for command; `kotef help --all` lists every command')
    .configureHelp({ subcommandTerm: it => [it.name(), ...it.registeredArguments.map(argumentTerm)].join(' ') })
    .exitOverride()
    .configureOutput({ writeOut: text => context.print(text.trimEnd()), writeErr: () => {} })
  const ofGroups = [...verbsOfCall].sort((a, b) => helpGroupOf(nameOf(a)).place - helpGroupOf(nameOf(b)).place)
  for (const verb of ofGroups) addVerb(program, verb, { context, onAnswer })
  for (const it of program.commands) it.helpGroup(helpGroupOf(it.name()).heading)
  for (const group of program.commands.filter(it => it.summary() === '')) group.summary(NOUNS[group.name()] ?? '')
  return program
}

type VerbBinding = { readonly context: CallContext; readonly onAnswer: (answer: VerbOutput | null) => void }

function addVerb(program: Command, verb: Verb, { context, onAnswer }: VerbBinding): void {
  const words = verb.usage.split(' ')
  const [name = '', second = ''] = words
  const nested = /^[a-z]/.test(second)
  const parent = nested ? groupCommand(program, name) : program
  const command = parent.command(nested ? words.slice(1).join(' ') : verb.usage, { hidden: verb.hidden ?? false })
  // The name is the one by which this person calls kotef.
  const example = verb.example.replace(/\bkotef (?=[a-z])/, `${program.name()} `)
  command.summary(verb.summary).description(verb.summary).addHelpText('after', `\nExample:\n  $ ${example}`)
  command.addOption(new Option('--json', 'print one JSON document'))
  verb.addOptions?.(command)
  command.action(async () => {
    const { run } = await verb.load()
    const confirm = async (question: string) => (await import('./prompts.ts')).askConfirmation(question)
    const choose: VerbCall['choose'] = async (...question) => (await import('./prompts.ts')).askChoice(...question)
    const args = command.processedArgs
    const options = command.optsWithGlobals()
    const pick: VerbCall['pick'] = async (...question) => (await import('./prompts.ts')).askOne(...question)
    const ask: VerbCall['ask'] = async (...question) => (await import('./prompts.ts')).askText(...question)
    onAnswer(await run({ ...context, program, confirm, choose, pick, ask, args, options }))
  })
}

function groupCommand(program: Command, name: string): Command {
  return program.commands.find(it => it.name() === name) ?? program.command(name)
}

/** The command that some words call, as far as they name one. */
function calledCommand(program: Command, args: readonly string[]): Command {
  const [name = '', second = ''] = args.filter(it => !it.startsWith('-'))
  const command = program.commands.find(it => it.name() === name)
  return command?.commands.find(it => it.name() === second) ?? command ?? program
}

// A verb's own objection to a word or an option names what it expects; its help has the rest.
function withHelpOfVerb<T>(thrown: T, call: FailedCall): T | KotefError {
  const { code, hint, message } = toKotefError(thrown)
  const verb = verbOf(call)
  if (code !== 'usage' || hint !== generalHint('usage') || verb === '') return thrown
  return new KotefError('usage', message, { hint: `See \`kotef ${verb} --help\``, cause: thrown })
}

/** The verb of a call, with its group: `intent add`; empty when it names none. */
function verbOf({ args, program }: FailedCall): string {
  const command = calledCommand(program, args)
  const path = command.parent === program ? [command] : [command.parent, command]
  return command === program ? '' : path.map(it => it?.name()).join(' ')
}

type FailedCall = { readonly args: readonly string[]; readonly program: Command }

function asUsageError({ code, message }: CommanderError, { args, program }: FailedCall): KotefError {
  if (code === 'commander.help') return new KotefError('usage', 'A command is missing.')
  const what = message.replace(/^error: /, '')
  const command = calledCommand(program, args)
  const names = command.commands.map(it => it.name()).filter(it => it !== 'complete')
  const verb = verbOf({ args, program })
  if (code === 'commander.unknownCommand' || command === program)
    return withHelpOfVerb(unknownVerb(what, { args, names }), { args, program })
  const hint = `Usage: ${program.name()} ${verb} ${command.usage()}\n  See \`kotef ${verb} --help\``
  return new KotefError('usage', code === 'commander.unknownOption' ? unknownOption(what, command) : what, { hint })
}

// Commander compares letters alone, and nobody means --version. `--acceptance` is said of `--criterion`.
function unknownOption(what: string, { options }: Command): string {
  const [first = ''] = what.split('\n')
  const [, typed = ''] = /'--([a-z]+)/.exec(first) ?? []
  const described = options.find(it => typed !== '' && it.description.includes(`${typed} ${it.name()}`))
  if (described) return `${first}\n(Did you mean ${described.long}?)`
  return what.replace(/\n\(Did you mean --version\?\)/, '')
}

// Commander suggests by the number of typing errors; a word that was cut short has none.
function unknownVerb(what: string, { args, names }: { args: readonly string[]; names: readonly string[] }): KotefError {
  const typed = args.filter(it => !it.startsWith('-')).at(-1) ?? ''
  const longer = names.filter(it => typed !== '' && it.startsWith(typed))
  if (longer.length === 0) return new KotefError('usage', what)
  const [first = ''] = what.split('\n')
  return new KotefError('usage', `${first}\n(Did you mean ${longer.join(' or ')}?)`)
}
