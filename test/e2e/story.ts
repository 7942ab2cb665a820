import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../rig/repo.ts'
import { lineAuthors, fileCredits, listSessions } from './results.ts'
import type { ModelAction, ModelRequest } from './models/protocol.ts'

/** What holds of every agent, in the order in which the stories come to it. */
export const PROMISES = {
  context: 'the model is told of the intents before it does anything',
  early: 'a file before the selection is refused, and is not there',
  mandate: 'the model reads why: it must cite an intent',
  earlyCommand: 'a command that writes is refused before the selection as well',
  selected: 'select_active_intent answers with the context of the intent',
  bound: 'the session is bound to the intent, in the name of the agent',
  written: 'a file in the scope is written',
  claimed: 'its record names session, model and intent, and is claimed',
  outside: 'a file outside of the scope is refused, and is not there',
  which: 'the model reads which file, and which intent',
  outsideCommand: 'a command that writes outside of the scope is refused',
  caught: 'what a command has written outside of the scope, unforeseen, the model is told at once',
  registry: 'the registry of the intents can not be changed',
  trailer: 'the commit has the trailer of the intent',
  blame: 'blame says of every line that it is of the AI, and for which intent',
  again: 'once it has ended, the next session selects the same intent, and has to',
  looped: 'a command that fails in the same way four times ends the run: nothing more is written',
  circled: 'an agent whose patches all lead to the same red check is warned, then stopped, and the report says why',
  sentBack: 'an agent that would stop before its check passes is sent back with what is missing',
  done: 'once the check passes the model reads that it is done',
  letGo: 'and may stop',
  roleHeld: 'an Orchestrator of a handover session writes no source',
  roleWrites: 'and writes below its session',
  completedHeld: 'a Coder does not complete its own task',
  mapped: 'the context of an intent lists what the map has for it',
  found: 'the model asks where something is, and is told file and intent',
  conflict: 'it reads at once that an agent in another worktree is changing the same declaration',
  outOfReach: 'where kotef can not be reached, nothing is written',
} as const

export type PromiseName = keyof typeof PROMISES

export type StoryContext = {
  readonly repo: Repo
  readonly agent: string
  /** How Agent Trace spells the model; `-` where the agent's hooks tell of none. */
  readonly model: string
  readonly check: (promise: PromiseName, holds: boolean, found: unknown) => void
}

/** What a model does next, step by step; it is told what the step before came to. */
export type Story = AsyncGenerator<ModelAction, void, ModelRequest>

/** One agent's work, from the first prompt to the commit: what its model does, and what has to come of it. */
export async function* firstSession(context: StoryContext, begun: ModelRequest): Story {
  yield* beforeTheSelection(context, begun)
  yield* selection(context)
  yield* work(context)
  yield* outside(context)
  yield* commit(context)
  yield { do: 'say', text: 'It is done.' }
}

/** The next session of the same agent, after the one that did the work. */
export async function* nextSession({ repo, check }: StoryContext): Story {
  const early = yield { do: 'write', path: join(repo.root, 'src/b.ts'), text: TEXT }
  const { toolResult: reported } = yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-001' } }
  check('again', early.toolResult.includes(MANDATE) && reported.includes('src/**'), {
    early: early.toolResult,
    reported,
  })
  yield { do: 'say', text: 'There is nothing more to do.' }
}

/** The same work, where the hooks call a kotef that is not there. */
export async function* withoutKotef({ repo, check }: StoryContext): Story {
  const { toolResult: reported } = yield { do: 'write', path: join(repo.root, 'src/b.ts'), text: TEXT }
  check('outOfReach', !existsSync(join(repo.root, 'src/b.ts')), reported)
  yield { do: 'say', text: 'It is not done.' }
}

const MANDATE = 'You must cite a valid active Intent ID.'
const FILE = 'src/a.ts'
const TEXT = 'export const a = 1\nexport const b = 2\n'
const WRITTEN = 'The file is written, and recorded as yours'
const WITH_HOOKS = 'env -u GIT_CONFIG_COUNT'
const REGISTRY = '.orchestration/active_intents.yaml'

async function* beforeTheSelection({ repo, check }: StoryContext, begun: ModelRequest): Story {
  const isThere = () => existsSync(join(repo.root, FILE))
  check('context', begun.text.includes('INT-001') && begun.text.includes('the work'), begun.text.slice(-1500))
  const { toolResult: reported } = yield { do: 'write', path: join(repo.root, FILE), text: TEXT }
  check('early', !isThere(), reported)
  check('mandate', reported.includes(MANDATE), reported)
  const again = yield { do: 'shell', command: `echo early > ${FILE}` }
  check('earlyCommand', again.toolResult.includes(MANDATE) && !isThere(), again.toolResult)
}

async function* selection({ repo, agent, check }: StoryContext): Story {
  const { toolResult: reported } = yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-001' } }
  const isContext = ['INT-001', 'the work', 'src/**'].every(it => reported.includes(it))
  check('selected', isContext, reported)
  const sessions = await listSessions(repo)
  const [one] = sessions
  check('bound', sessions.length === 1 && one?.intent === 'INT-001' && one.agent === agent, sessions)
}

async function* work({ repo, model, check }: StoryContext): Story {
  const { toolResult: reported } = yield { do: 'write', path: join(repo.root, FILE), text: TEXT }
  const text = existsSync(join(repo.root, FILE)) ? await repo.read(FILE) : null
  check('written', text === TEXT, { reported, text })
  const [session] = await listSessions(repo)
  const credits = await fileCredits(repo, FILE)
  check('claimed', credits.join() === `claimed ${session?.id} ${model} INT-001`, credits)
}

async function* outside({ repo, check }: StoryContext): Story {
  const isThere = () => existsSync(join(repo.root, 'docs/a.md'))
  const { toolResult: reported } = yield { do: 'write', path: join(repo.root, 'docs/a.md'), text: 'mine\n' }
  check('outside', !isThere(), reported)
  check('which', reported.includes('docs/a.md') && reported.includes('INT-001'), reported)
  const byShell = yield { do: 'shell', command: 'echo mine > docs/a.md' }
  check('outsideCommand', !isThere() && byShell.toolResult.includes('docs/a.md'), byShell.toolResult)
  const opaque = yield { do: 'shell', command: `node -e "require('fs').writeFileSync('docs/b.md', 'mine')"` }
  check('caught', opaque.text.includes(WRITTEN) && existsSync(join(repo.root, 'docs/b.md')), opaque.toolResult)
  const registry = await repo.read(REGISTRY)
  const plane = yield { do: 'shell', command: `echo >> ${REGISTRY}` }
  check('registry', (await repo.read(REGISTRY)) === registry, plane.toolResult)
}

async function* commit({ repo, check }: StoryContext): Story {
  const commands = (way: string) => `git add ${FILE} && ${way}git commit --quiet --message 'feat: a'`
  let { toolResult: reported } = yield { do: 'shell', command: commands('') }
  // Where an agent has git run without its hooks, it is refused, and told how to run it with them.
  if (reported.includes(WITH_HOOKS))
    ({ toolResult: reported } = yield { do: 'shell', command: commands(`${WITH_HOOKS} `) })
  const head = await repo.git('log', '-1', '--format=%s%n%(trailers:key=Intent-ID)')
  check('trailer', head.trim() === 'feat: a\nIntent-ID: INT-001', { reported, head })
  const blamed = await lineAuthors(repo, FILE)
  check('blame', blamed.join() === 'ai INT-001,ai INT-001', blamed)
}
