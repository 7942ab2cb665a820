import { readdir } from 'node:fs/promises'
import type { Argument, Command, Option } from 'commander'
import { pendingRequests } from '../../world/approvals/requests.ts'
import { sessionNames as handoversHere } from '../../world/handover/session-folder.ts'
import { packageFile } from '../../world/io/files/package.ts'
import { loadLessons } from '../../world/lessons/lessons-on-disk.ts'
import { loadConfig, loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

/** The word of a command line that is to be completed: a flag's value, an argument or a verb. */
export type CompletedWord = {
  readonly command: Command
  readonly word: string
  readonly flag: Option | null
  readonly argument: Argument | null
}

/** Finds out what the last of these words is. */
export function positionIn(program: Command, words: readonly string[]): CompletedWord {
  let command = program
  let flag: Option | null = null
  let count = 0
  for (const word of words.slice(0, -1)) {
    if (flag !== null) flag = null
    else if (word.startsWith('-'))
      flag = command.options.find(it => (it.long === word || it.short === word) && takesValue(it)) ?? null
    else {
      const verb = count === 0 ? command.commands.find(it => it.name() === word) : undefined
      if (verb) command = verb
      else count++
    }
  }
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[count] ?? (last?.variadic ? last : null)
  return { command, word: words.at(-1) ?? '', flag, argument }
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

type Completion = { readonly value: string; readonly about: string }

/** The completions of a word, and whether the shell adds the names of files. */
export async function completionsOf(
  { command, word, flag, argument }: CompletedWord,
  call: Pick<VerbCall, 'cwd'>,
): Promise<{ readonly items: readonly Completion[]; readonly takesFiles: boolean }> {
  const isFlag = flag === null && word.startsWith('-')
  const kind = flag ? (flag.attributeName() === 'dependsOn' ? 'intent' : flag.attributeName()) : argument?.name()
  const choices = (flag ?? argument)?.argChoices?.map(value => ({ value, about: '' }))
  const ofHandover = kind === 'session' && command.parent?.name() === 'handover' ? 'handover' : kind
  const named = isFlag ? flagsOf(command) : (choices ?? (await namesOf(ofHandover ?? '', call)))
  const items = flag || isFlag ? named : [...verbsOf(command), ...named]
  return {
    items: items.filter(it => it.value.startsWith(word)),
    takesFiles: !isFlag && FILE_KINDS.has(kind ?? ''),
  }
}

/** The shells that `kotef completion` has a script for. */
export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell']

const FILE_KINDS: ReadonlySet<string> = new Set(['file', 'path', 'file:line'])

function verbsOf(command: Command): Completion[] {
  const visible = command.commands.length === 0 ? [] : command.createHelp().visibleCommands(command)
  return visible.map(it => ({ value: it.name(), about: it.summary() || it.description() }))
}

function flagsOf(command: Command): Completion[] {
  const visible = command.createHelp().visibleOptions(command)
  return visible.map(it => ({ value: it.long ?? it.short ?? '', about: it.description }))
}

// A tab key must not print errors: outside of a repository and without a readable registry there are no names.
function namesOf(kind: string, { cwd }: Pick<VerbCall, 'cwd'>): Promise<Completion[]> {
  return Promise.resolve(NAMES[kind]?.(() => openWorkspace(cwd)) ?? []).catch(() => [])
}

type Names = (open: () => Promise<Workspace>) => Promise<Completion[]>

const intentNames: Names = async open =>
  (await loadRegistry(await open())).intents.map(({ id, name }) => ({ value: id, about: name }))

const sessionNames: Names = async open =>
  (await liveSessions(await open())).map(it => ({ value: it.id, about: `${it.agent ?? 'a person'}, ${it.intent}` }))

const handoverNames: Names = async open => (await handoversHere(await open())).map(value => ({ value, about: '' }))

const lessonNames: Names = async open => {
  const workspace = await open()
  const { lessons } = await loadLessons(workspace, await loadConfig(workspace))
  return lessons.map(it => ({ value: it.id, about: it.text }))
}

const NAMES: Readonly<Record<string, Names>> = {
  id: intentNames,
  intent: intentNames,
  session: sessionNames,
  handover: handoverNames,
  lesson: lessonNames,
  request: async open =>
    (await pendingRequests(await open())).map(it => ({ value: it.id.slice(0, 8), about: it.wants.join(', ') })),
  code: async () =>
    (await readdir(packageFile('docs/explain'))).map(it => ({ value: it.replace(/\.md$/, ''), about: '' })),
  shell: async () => COMPLETION_SHELLS.map(value => ({ value, about: '' })),
}
