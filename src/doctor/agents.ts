import { join } from 'node:path'
import { finished } from '../io/finished.ts'
import { toKotefError } from '../report/failure.ts'
import type { Agent } from '../setup/agents/agents.ts'
import { agentsTold } from '../setup/agents/init-agents.ts'
import { isMention } from '../setup/agents/part.ts'
import { planFor, textAt } from '../setup/agents/plan.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Complaint, Note } from './complaint.ts'
import { inside, listed } from './hooks.ts'
import { codexTrust, switchedOff } from './switches.ts'

/** What keeps the agents that are told of kotef from asking it. */
export async function agentComplaints(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Complaint[]> {
  const agents = await agentsTold(workspace)
  if (agents.length === 0) return []
  const each = await Promise.all(agents.map(it => complaintsOf(workspace, it, env)))
  return [...(await unfound(workspace, env)), ...each.flat()]
}

/** What can't be seen from here of the agents that are told of kotef. */
export async function agentNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Note[]> {
  const agents = await agentsTold(workspace)
  return agents.some(it => it.name === 'codex') ? [await codexTrust(workspace, env)] : []
}

async function complaintsOf(workspace: Workspace, agent: Agent, env: NodeJS.ProcessEnv): Promise<Complaint[]> {
  return [...(await unlike(workspace, agent)), ...(await switchedOff(workspace, agent.name, env))]
}

/** Which files do not call kotef as this version of it is to be called. */
async function unlike(workspace: Workspace, agent: Agent): Promise<Complaint[]> {
  const fix = `Run \`${inside(workspace.root, `kotef init --agent ${agent.name}`)}\``
  try {
    const { changes, pastes } = await planFor(workspace, [agent])
    const byHand = await Promise.all(
      pastes.map(async it => ({ path: it.path, text: await textAt(workspace, it.path) })),
    )
    const paths = [...changes, ...byHand.filter(it => !isMention(it.text ?? ''))].map(it => it.path)
    const own = paths.filter(path => agent.parts.some(it => it.path === path))
    return own.length === 0
      ? []
      : [{ what: `${agent.name} is not told of kotef, or not as it should be, in ${listed(own)}`, fix }]
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return [{ what: message, fix: hint }]
  }
}

/** Asks by the way that agents go. */
async function unfound(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Complaint[]> {
  const script = join(placesOf(workspace).shared, 'agent')
  const { exit, stderr } = await finished('sh', [script, '--version'], { cwd: workspace.root, env })
  if (exit === 0) return []
  const why = stderr.trim().split('\n').at(-1) ?? ''
  return [
    {
      what: `agents do not find kotef from ${workspace.root}: ${why}`,
      fix: `Run \`${inside(workspace.root, 'kotef init')}\``,
    },
  ]
}
