import { type Enforcement, ENFORCEMENTS } from '../../../core/intents/enforcement.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { AGENT_SETUPS, type AgentSetup, agentSetupsByName } from '../../../world/setup/agents/agent-setups.ts'
import { findAgents, type FoundAgent } from '../../../world/setup/agents/configure-agents.ts'
import { type ChoreProposal, proposeChores } from '../../../world/setup/propose-chores.ts'
import { listOption, textOption, type VerbCall } from '../verb.ts'

/** What a person wants of `kotef init`, or what its options and the repository say. */
export type InitWishes = {
  readonly isNew: boolean
  readonly mode: Enforcement | null
  readonly agents: readonly AgentSetup[]
  /** Those that were found and not chosen. */
  readonly offered: readonly FoundAgent[]
  readonly chores: ChoreProposal
  /** Whether a standing intent is added for the chores. */
  readonly isStanding: boolean
}

/**
 * Asks a person at a terminal everything before anything is changed; null when kotef is not wanted. Without a terminal,
 * and with `--yes` or `--json`, nothing is asked.
 */
export async function askInitWishes(call: VerbCall, workspace: Workspace): Promise<InitWishes | null> {
  const asks = call.interactive && !call.options['yes'] && !call.options['json']
  if (asks && !(await call.confirm(`Govern ${workspace.root} with kotef? ${WHAT_IT_DOES}`))) return null
  const isNew = (await workspace.files.modifiedAt(layoutOf(workspace).registry)) === null
  const chores = isNew ? await proposeChores(workspace) : { scope: [], rides: [] }
  const mode = enforcementNamed(textOption(call, 'mode')) ?? (asks && isNew ? await askMode(call) : null)
  // Once it is adopted, only an agent that has left files here is a question again.
  const found = (await findAgents(workspace, call.env)).filter(it => isNew || it.trace !== null)
  const named = listOption(call, 'agent')
  const asksAgents = asks && !named && (isNew || found.length > 0)
  const agents = named ? agentSetupsByName(named) : asksAgents ? await askAgents(call, found) : []
  const isStanding = asks && chores.scope.length > 0 && (await askStanding(call, chores))
  return { isNew, mode, agents, offered: agents.length > 0 ? [] : found, chores, isStanding }
}

const WHAT_IT_DOES = 'It adds missing files and a call to each git hook, and replaces nothing.'

function enforcementNamed(name: string | null): Enforcement | null {
  return ENFORCEMENTS.find(it => it === name) ?? null
}

// Without a word everything blocks, so that is not written into the config.
async function askMode({ pick }: VerbCall): Promise<Enforcement | null> {
  const mode = enforcementNamed(await pick('What happens when a commit breaks a rule?', MODES))
  return mode === 'block' ? null : mode
}

const MODES = [
  { value: 'block', hint: 'it is refused' },
  { value: 'warn', hint: 'it goes through, and the problem is printed' },
  { value: 'observe', hint: 'it goes through, and the problem is only recorded' },
]

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

function askStanding({ confirm }: VerbCall, { scope }: ChoreProposal): Promise<boolean> {
  return confirm(`Add a standing intent, so that people need no other one for small changes to ${scope.join(', ')}?`)
}
