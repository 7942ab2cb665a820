import { answererHere } from '../../world/recording/agent-activity/answerer.ts'
import type { Answerer } from '../../core/authorship/proof-of-person.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { PersonProof } from '../../core/ledger/event.ts'
import { printable } from '../../core/base/printable.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

type PersonCall = Pick<VerbCall, 'env'> & Partial<Pick<VerbCall, 'interactive' | 'options'>>

/** What is asked of the person at a call. */
type PersonQuestion = {
  /** What an agent can't do, for the refusal. */
  readonly what?: string
  /** The session that has asked for it. */
  readonly askedBy?: string | null
  /** True where an agent declares itself: then its variables are no reason. */
  readonly declaresAgent?: boolean
}

/** Refuses a call that an agent makes. The answer is whether it is proved that a person makes it. */
export async function requirePerson(
  call: PersonCall,
  workspace: Workspace,
  { what = 'approve', askedBy = null, declaresAgent = false }: PersonQuestion = {},
): Promise<ProvenPerson> {
  const answerer = await answererOf(call, workspace, askedBy)
  if (answerer.who !== 'agent') return provenPerson(answerer)
  if (declaresAgent && answerer.how === 'marked') return provenPerson({ who: 'unproved', why: 'no-terminal' })
  const around = answerer.how === 'left-running' ? OPEN_BEFORE : what === 'approve' ? {} : OUTSIDE
  throw new KotefError('person-needed', `${agentWords(answerer)} can't ${what}; a person must.`, around)
}

const OUTSIDE = { hint: 'A person runs the same command, outside of the agent.' }
const OPEN_BEFORE = { hint: 'A person runs the same command in a terminal that was open before the agent began.' }

/** Whether a person is proved, and a line that says so when not. */
export type ProvenPerson = { readonly person: PersonProof; readonly remarks: readonly string[] }

function provenPerson(answerer: Exclude<Answerer, { who: 'agent' }>): ProvenPerson {
  if (answerer.who === 'person') return { person: 'proved', remarks: [] }
  return { person: 'unproved', remarks: [`  Recorded without proof that a person did it: ${WHY[answerer.why]}.`] }
}

const WHY = {
  'no-terminal': 'no question was answered at a terminal',
  'newer-terminal': 'this terminal was not open before the session of the agent began',
  'hidden-agent': 'an agent with a session here has no process that kotef can see',
  'hidden-processes': 'the system does not show the processes above this one',
  'other-program': 'another program than a shell runs between this terminal and kotef',
  client: "the agent's client gave the answer",
} as const

/** The agent that makes a call, as the beginning of a sentence; null where no agent is proved. */
export async function callingAgent(call: PersonCall, workspace: Workspace): Promise<string | null> {
  const answerer = await answererOf(call, workspace, null)
  return answerer.who === 'agent' ? agentWords(answerer) : null
}

/** Who makes a call. */
export function answererOf(
  { env, interactive = false, options = {} }: PersonCall,
  workspace: Workspace,
  askedBy: string | null = null,
): Promise<Answerer> {
  const atTerminal = interactive && options['yes'] !== true && options['json'] !== true
  return answererHere(workspace, { env, atTerminal, askedBy })
}

function agentWords({ how, agent, agentVariable }: Extract<Answerer, { who: 'agent' }>): string {
  const name = printable(agent ?? 'An agent')
  if (how === 'below') return `${name} runs this, and`
  if (how === 'left-running') return `A command of ${name} started this, and`
  return how === 'named' ? name : `An agent runs this (${agentVariable} is set), and`
}

/** Refuses a call without a person at a terminal. Commands that accept `--yes` ask for this only without it. */
export function requireTerminal({ interactive, options }: VerbCall, what = 'Approving', hint?: string): void {
  if (interactive && options['json'] !== true) return
  throw new KotefError('person-needed', `${what} needs a person at a terminal.`, hint === undefined ? {} : { hint })
}
