import { malformation } from '../../../core/base/globs.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { dayOf, ENFORCEMENTS, isDay } from '../../../core/intents/enforcement.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { AGENT_SETUPS, type AgentSetup, agentSetupsByName } from '../../../world/setup/agents/agent-setups.ts'
import { findAgents, type FoundAgent } from '../../../world/setup/agents/configure-agents.ts'
import { type ChoreProposal, proposeChores } from '../../../world/setup/propose-chores.ts'
import { ADOPTION } from '../../../core/rules/hints.ts'
import { likelyScope } from '../../../world/setup/init.ts'
import type { EnforcementWish } from '../../../world/setup/scaffold.ts'
import { typedName } from '../../../world/io/process/typed-name.ts'
import { listOption, textOption, type VerbCall } from '../verb.ts'

/** What a person wants of `kotef init`, or what its options and the repository say. */
export type InitWishes = {
  readonly isNew: boolean
  readonly mode: EnforcementWish | null
  readonly agents: readonly AgentSetup[]
  /** Those that were found and not chosen. */
  readonly offered: readonly FoundAgent[]
  readonly chores: ChoreProposal
  /** Whether a standing intent is added for the chores. */
  readonly isStanding: boolean
  readonly work: FirstWork | null
  /** Whether what is written is committed. */
  readonly commits: boolean
}

/** The first piece of work that a person names: it becomes an intent. */
export type FirstWork = { readonly name: string; readonly scope: readonly string[] }

/**
 * Asks a person at a terminal everything before anything is changed; null when kotef is not wanted. Without a terminal,
 * and with `--yes` or `--json`, nothing is asked.
 */
export async function askInitWishes(call: VerbCall, workspace: Workspace): Promise<InitWishes | null> {
  const asks = call.interactive && !call.options['yes'] && !call.options['json']
  if (asks && !(await call.confirm(`Govern ${workspace.root} with kotef? ${whatItDoes(call)}`))) return null
  const isNew = (await workspace.files.modifiedAt(layoutOf(workspace).registry)) === null
  const chores = isNew ? await proposeChores(workspace) : { scope: [], rides: [] }
  const mode = wishedMode(call) ?? (asks && isNew ? await askMode(call, workspace.clock.now()) : null)
  // Once it is adopted, only an agent that has left files here is a question again.
  const found = (await findAgents(workspace, call.env)).filter(it => isNew || it.trace !== null)
  const named = listOption(call, 'agent')
  const asksAgents = asks && !named && (isNew || found.length > 0)
  const agents = named ? agentSetupsByName(named) : asksAgents ? await askAgents(call, found) : []
  const offered = agents.length > 0 ? [] : found
  const work = asks && isNew ? await askWork(call, workspace) : null
  const isStanding = chores.scope.length > 0 && (asks ? await askStanding(call, chores) : call.options['yes'] === true)
  const commits = asks && isNew && (await call.confirm(`Commit what is written as "${ADOPTION}"?`))
  return { isNew, mode, agents, offered, chores, isStanding, work, commits }
}

function whatItDoes({ env }: VerbCall): string {
  const back = `\`${typedName(env)} uninit\``
  return `It adds missing files and a call to each git hook, and replaces nothing; ${back} takes it back.`
}

function wishedMode(call: VerbCall): EnforcementWish | null {
  const named = textOption(call, 'mode')
  const blockFrom = textOption(call, 'blockFrom')
  if (blockFrom !== null && (named ?? 'block') === 'block')
    throw new KotefError('usage', '--block-from says when `--mode warn`, or `--mode observe`, ends.')
  if (blockFrom !== null && !isDay(blockFrom))
    throw new KotefError('usage', `--block-from takes a day, such as ${dayOf(Date.now() + WEEK_MS)}.`)
  const enforce = ENFORCEMENTS.find(it => it === named)
  return enforce ? { enforce, blockFrom } : null
}

// Without a word everything blocks, so that is not written into the config.
async function askMode({ pick }: VerbCall, now: number): Promise<EnforcementWish | null> {
  const day = dayOf(now + WEEK_MS)
  const answer = await pick('What happens when a commit breaks a rule?', [
    { value: 'block', hint: 'it is refused' },
    { value: FIRST_WEEK, hint: `it goes through, and the problem is printed; from ${day} on it is refused` },
    { value: 'warn', hint: 'it goes through, and the problem is printed' },
    { value: 'observe', hint: 'it goes through, and the problem is only recorded' },
  ])
  if (answer === FIRST_WEEK) return { enforce: 'warn', blockFrom: day }
  const enforce = ENFORCEMENTS.find(it => it === answer)
  return enforce === undefined || enforce === 'block' ? null : { enforce, blockFrom: null }
}

const FIRST_WEEK = 'warn for the first week'
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

async function askAgents({ choose }: VerbCall, found: readonly FoundAgent[]): Promise<AgentSetup[]> {
  const choices = AGENT_SETUPS.filter(it => it.program !== null).map(it => ({
    value: it.name,
    hint: [...whereFound(it, found), `writes ${it.files.map(file => file.path).join(', ')}, ${it.prompt}`].join('; '),
  }))
  const selected = found.map(it => it.name)
  return agentSetupsByName(
    await choose('Which agents work here? They are asked for an intent first.', choices, selected),
  )
}

function whereFound({ name }: AgentSetup, found: readonly FoundAgent[]): string[] {
  const own = found.find(it => it.name === name)
  return own ? [own.trace === null ? 'is on the PATH' : `${own.trace} is here`] : []
}

async function askWork({ ask }: VerbCall, workspace: Workspace): Promise<FirstWork | null> {
  const name = await ask('What is the first piece of work? A few words; Enter alone for later.', {})
  if (name.trim() === '') return null
  const initial = await likelyScope(workspace)
  const answer = await ask('Which paths may it change? Globs, with spaces between them.', {
    initial,
    flaw: text => globsIn(text).flatMap(it => malformation(it) ?? [])[0] ?? null,
  })
  return { name: name.trim(), scope: globsIn(answer) }
}

function globsIn(text: string): string[] {
  return text.split(/\s+/).filter(it => it !== '')
}

function askStanding({ confirm }: VerbCall, { scope }: ChoreProposal): Promise<boolean> {
  return confirm(`Add a standing intent, so that people need no other one for small changes to ${scope.join(', ')}?`)
}
