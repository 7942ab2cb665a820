import { join } from 'node:path'
import { agentVariable } from '../../../core/agents/detect-agent.ts'
import {
  type AgentCall,
  type AgentLife,
  type Answerer,
  type AnswererFacts,
  proofOfClient,
  proofOfPerson,
} from '../../../core/authorship/proof-of-person.ts'
import { isExpiredWindow, type ToolWindow } from '../../../core/authorship/tool-window.ts'
import type { Session } from '../../../core/intents/session.ts'
import { gather } from '../../io/git/gather.ts'
import { processChain, processReader, type ProcessReader } from '../../io/process/process-chain.ts'
import { isProcessAlive } from '../../io/process/processes.ts'
import { PROCESS_CLOCK_MS } from '../../../core/base/process-times.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { gatherAgentRecords } from './agent-above.ts'
import { readPastCalls } from './past-calls.ts'
import { isRunningCall } from './windows.ts'

/** How a process gives a person's word. */
export type AnswererCall = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when a question is answered at a terminal. */
  readonly atTerminal: boolean
  /** The session that has asked for what is answered; null without one. */
  readonly askedBy?: string | null
  /** The id of the process that a person has started, where this one only helps it. */
  readonly program?: number | null
}

/** The one reader of whether a person gives a word here: everything that takes one asks it. */
export async function answererHere(workspace: Workspace, call: AnswererCall): Promise<Answerer> {
  return proofOfPerson(await answererFacts(workspace, call))
}

/** The same for a word that an agent's client has passed on to this process, its server. */
export async function answeringClient(workspace: Workspace): Promise<Answerer> {
  return proofOfClient(await answererFacts(workspace, { env: {}, atTerminal: false }))
}

async function answererFacts(
  workspace: Workspace,
  { env, atTerminal, askedBy = null, program = null }: AnswererCall,
): Promise<AnswererFacts> {
  const { sessions, windows } = await gather(workspace, gatherAgentRecords(workspace, SESSION_FOLDERS))
  const read = processReader()
  const lifeOf = lifeReader(read, { clock: workspace.clock, askedBy })
  const chain = processChain(read, program)
  const running = windows.filter(it => isInCall(it, workspace.clock))
  const lives = [...sessions, ...running.map(sessionOfCall)].map(lifeOf)
  const named = lives.find(it => it.until === null && it.session === env['KOTEF_SESSION']) ?? null
  const begin = chain.at(-1)?.startedAt ?? -Infinity
  return {
    chain,
    atTerminal,
    // Nothing that an agent started before the system's last start runs any more.
    agents: lives.filter(it => it.until === null || it.until > begin),
    calls: [...running.map(it => runningCall(it, read)), ...(await pastCallsOfClone(workspace))],
    named,
    isAskerLost: askedBy !== null && lives.every(it => it.session !== askedBy),
    agentVariable: agentVariable(env),
  }
}

const SESSION_FOLDERS = ['sessions', 'sessions/ended']

type LifeContext = Pick<Workspace, 'clock'> & Pick<AnswererCall, 'askedBy'>

type AgentRun = Pick<Session, 'id' | 'agent' | 'host' | 'pid' | 'claimedAt' | 'endedAt'>

function lifeReader(read: ProcessReader, { clock, askedBy }: LifeContext): (run: AgentRun) => AgentLife {
  return ({ id: session, agent, host, pid, claimedAt, endedAt }) => {
    const began = Date.parse(claimedAt)
    const isHere = pid !== null && host === clock.host
    const found = isHere && endedAt === null ? read(pid) : null
    // A process that is younger than its session is another one, with the same id.
    const running = found !== null && found.startedAt <= began + PROCESS_CLOCK_MS ? found : null
    const isGone = isHere && running === null && (found !== null || !isProcessAlive(pid))
    return {
      session,
      agent: agent ?? 'an agent',
      pid,
      running,
      asks: session === askedBy,
      since: Math.min(began, running?.startedAt ?? began),
      until: endedAt === null ? (isGone ? clock.now() : null) : Date.parse(endedAt),
    }
  }
}

function isInCall(window: ToolWindow, { now }: Workspace['clock']): boolean {
  return window.kind === 'exec' && isRunningCall(window) && !isExpiredWindow(window, now())
}

function sessionOfCall({ session: id, agent, host, pid = null, openedAt }: ToolWindow): AgentRun {
  return { id, agent, host, pid, claimedAt: new Date(openedAt).toISOString(), endedAt: null }
}

function runningCall(window: ToolWindow, read: ProcessReader): AgentCall {
  const { session, agent, openedAt: from, pid = null } = window
  // The group of the window is still known when the agent was killed.
  const group = (pid === null ? null : read(pid))?.group ?? window.group ?? null
  return { session, agent, from, to: null, group }
}

async function pastCallsOfClone({ commonDir, files }: Workspace): Promise<AgentCall[]> {
  const linked = await files.list(join(commonDir, 'worktrees'))
  const gitDirs = [commonDir, ...linked.map(it => join(commonDir, 'worktrees', it))]
  return (await Promise.all(gitDirs.map(gitDir => readPastCalls({ gitDir, files })))).flat()
}
