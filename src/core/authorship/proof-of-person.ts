import { PROCESS_TICK_MS } from '../base/process-times.ts'

/** What the system says of a process. Times are milliseconds since 1970. */
export type ProcessFacts = {
  readonly pid: number
  /** 0 for a process that came from outside of what can be seen, such as that of `docker exec`. */
  readonly parent: number
  readonly name: string
  /** True for the first process of its session, as the shell of a terminal is. */
  readonly isLeader: boolean
  /** The id of its session; null where the system does not say. */
  readonly session: number | null
  /** Its controlling terminal; null without one. */
  readonly terminal: string | null
  /** The latest moment at which it can have started. */
  readonly startedAt: number
  /** Its control group, in which all that it starts stays; null where the system has none. */
  readonly group: string | null
  /** The variable by which an agent has marked it as it started; null without one, and where it can't be read. */
  readonly agentVariable: string | null
}

/** A session of an agent in the clone, or a call of one without a session. Times are milliseconds since 1970. */
export type AgentLife = {
  readonly session: string
  readonly agent: string
  /** Its process; null where kotef does not know it. */
  readonly pid: number | null
  /** What runs as that process now; null when none does, or it is not visible from here. */
  readonly running: ProcessFacts | null
  readonly since: number
  /** Null while it lives. */
  readonly until: number | null
  /** True for the one whose request is answered, also after its end. */
  readonly asks: boolean
}

/** A call of an agent that runs, or is over. */
export type AgentCall = {
  readonly session: string
  readonly agent: string
  readonly from: number
  /** Null while it runs. */
  readonly to: number | null
  /** The control group of the agent. */
  readonly group: string | null
}

/** What is known of a process that gives a person's word. */
export type AnswererFacts = {
  /** The process itself, and those above it; empty where the system does not show them. */
  readonly chain: readonly ProcessFacts[]
  /** True when its question is answered at a terminal. */
  readonly atTerminal: boolean
  readonly agents: readonly AgentLife[]
  readonly calls: readonly AgentCall[]
  /** The live agent's session that its environment names. */
  readonly named: { readonly session: string; readonly agent: string } | null
  /** True when the session whose request is answered has no file any more: then nothing is known of its time. */
  readonly isAskerLost: boolean
  /** The agent's variable in its environment. */
  readonly agentVariable: string | null
}

/** Whether a person has answered: proved, not proved and why, or an agent has. */
export type Answerer =
  | { readonly who: 'person' }
  | { readonly who: 'unproved'; readonly why: UnprovedReason }
  | {
      readonly who: 'agent'
      readonly how: 'below' | 'named' | 'marked' | 'left-running'
      readonly session: string | null
      readonly agent: string | null
      readonly agentVariable: string | null
    }

/** Why a person is not proved. */
export type UnprovedReason =
  'no-terminal' | 'newer-terminal' | 'hidden-agent' | 'hidden-processes' | 'other-program' | 'client'

/**
 * Judges who answers. An agent is proved by what it can't undo: the processes above, the environment that they started
 * with, the time at which a process was left behind. A person is proved by a terminal that no agent can have opened,
 * since it was open before. Whatever types into that terminal counts as the person.
 */
export function proofOfPerson(facts: AnswererFacts): Answerer {
  const agent = agentBehind(facts)
  if (agent !== null) return { who: 'agent', session: null, agent: null, agentVariable: null, ...agent }
  if (!facts.atTerminal) return { who: 'unproved', why: 'no-terminal' }
  if (facts.isAskerLost) return { who: 'unproved', why: 'hidden-agent' }
  if (leftBehindBy(facts) !== null) return { who: 'unproved', why: 'newer-terminal' }
  const agents = agentsInQuestion(facts.agents)
  if (agents.length === 0) return { who: 'person' }
  if (facts.chain.length === 0) return { who: 'unproved', why: 'hidden-processes' }
  if (agents.some(isHidden)) return { who: 'unproved', why: 'hidden-agent' }
  const opened = terminalOpenedAt(facts.chain)
  const isBefore = opened !== null && agents.every(it => opened < it.since)
  const isAmong = opened !== null && facts.agents.some(it => it.since <= opened && opened <= (it.until ?? Infinity))
  if (!isBefore || isAmong) return { who: 'unproved', why: 'newer-terminal' }
  return isTypedInShell(facts.chain) ? { who: 'person' } : { who: 'unproved', why: 'other-program' }
}

/**
 * Judges an answer that an agent's client gives in a person's name, to a server that it has started. It is never
 * proved: the client can answer by itself. A server that a command of the agent has started is the agent's own.
 */
export function proofOfClient(facts: AnswererFacts): Answerer {
  const { chain, agents, calls } = facts
  const level = chain.findIndex(it => agents.some(({ running }) => running?.pid === it.pid))
  const branch = level > 0 ? chain[level - 1] : undefined
  const call = leftBehindBy(facts) ?? (branch && calls.find(it => isOfCall(branch, it))) ?? null
  if (call === null) return { who: 'unproved', why: 'client' }
  return { who: 'agent', how: 'left-running', session: call.session, agent: call.agent, agentVariable: null }
}

type AgentBehind = Omit<Extract<Answerer, { who: 'agent' }>, 'who' | 'session' | 'agent' | 'agentVariable'> &
  Partial<Pick<Extract<Answerer, { who: 'agent' }>, 'session' | 'agent' | 'agentVariable'>>

function agentBehind(facts: AnswererFacts): AgentBehind | null {
  const { chain, agents, named } = facts
  // The first process of the system is above every other one.
  const parents = chain.slice(1).filter(it => it.pid > 1)
  const above = agents.find(it => it.running !== null && parents.some(({ pid }) => pid === it.pid))
  if (above) return { how: 'below', session: above.session, agent: above.agent }
  if (named) return { how: 'named', ...named }
  const variable = facts.agentVariable ?? chain.find(it => it.agentVariable !== null)?.agentVariable ?? null
  if (variable !== null) return { how: 'marked', agentVariable: variable }
  const left = leftBehindBy(facts)
  return left?.isCertain ? { how: 'left-running', session: left.session, agent: left.agent } : null
}

// In containers, and without systemd, all processes are in the group of the system's first one.
function hasOneGroup(chain: readonly ProcessFacts[]): boolean {
  const group = chain[0]?.group ?? null
  return group !== null && (ROOT_GROUP.test(group) || chain.slice(1).some(it => it.pid === 1 && it.group === group))
}

const ROOT_GROUP = /^(?:\d+:[^:\n]*:\/\n?)+$/

/** `isCertain` is false for what can be the terminal server that a person starts during a call as well. */
type LeftBehind = Pick<AgentCall, 'session' | 'agent'> & { readonly isCertain: boolean }

// A process whose parent has ended belongs to the system's first process, or to one that stands in for it.
function leftBehindBy({ chain, agents, calls }: AnswererFacts): LeftBehind | null {
  const orphan = chain.find(({ parent }) => parent === 1 || isReaper(chain.find(it => it.pid === parent)))
  if (!orphan || isReaper(orphan)) return null
  const inSession = agents.find(it => isOfSession(orphan, it))
  if (inSession) return { ...inSession, isCertain: true }
  const call = calls.find(it => isOfCall(orphan, it))
  return call ? { ...call, isCertain: !(hasOneGroup(chain) && terminalOpenedAt(chain) !== null) } : null
}

// The editor in which an agent runs can be of its session, and began before it.
function isOfSession({ session, isLeader, startedAt }: ProcessFacts, { running, since }: AgentLife): boolean {
  return !isLeader && session !== null && session > 0 && running?.session === session && startedAt > since
}

// A terminal that the desktop starts meanwhile has another control group, as far as the system has them.
function isOfCall({ startedAt, group }: ProcessFacts, call: AgentCall): boolean {
  return (
    group !== null &&
    call.group === group &&
    call.from <= startedAt &&
    startedAt - PROCESS_TICK_MS <= (call.to ?? Infinity)
  )
}

function isReaper(parent: Pick<ProcessFacts, 'name'> | undefined): boolean {
  return parent !== undefined && REAPERS.has(parent.name)
}

const REAPERS: ReadonlySet<string> = new Set(['systemd', 'init', 'tini', 'dumb-init', 'docker-init', 'catatonit'])

// Those that live, and the one that asks; without any, the last one: what it left running may still run.
function agentsInQuestion(agents: readonly AgentLife[]): readonly AgentLife[] {
  const concerned = agents.filter(it => it.until === null || it.asks)
  const last = [...agents].sort((one, other) => other.since - one.since).slice(0, 1)
  return concerned.length > 0 ? concerned : last
}

// An agent that nobody sees may run above, without being known.
function isHidden({ pid, running, until }: AgentLife): boolean {
  return until === null && (pid === null || running === null)
}

// Whatever else runs between may be an agent that nobody has declared.
function isTypedInShell(chain: readonly ProcessFacts[]): boolean {
  const between = chain.slice(
    1,
    chain.findIndex(it => it.isLeader),
  )
  return between.every(({ name }) => LAUNCHERS.test(name))
}

const LAUNCHERS = /^-?(?:(?:ba|da|z|k|fi)?sh|busybox|env|sudo|git|npm .*|npx.*|script|time)$/

/** When the terminal of a process was opened: its first process, if that is above it or is it itself; else null. */
function terminalOpenedAt(chain: readonly ProcessFacts[]): number | null {
  const [own] = chain
  const leader = chain.find(it => it.isLeader) ?? null
  if (!own || !leader || own.terminal === null || leader.terminal !== own.terminal) return null
  return own.session === leader.session ? leader.startedAt : null
}
