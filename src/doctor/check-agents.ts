import { join } from 'node:path'
import { runProgram } from '../io/process/run.ts'
import { toKotefError } from '../findings/failure.ts'
import type { AgentSetup } from '../setup/agents/agent-setups.ts'
import { listConfiguredAgents } from '../setup/agents/configure-agents.ts'
import { mentionsKotef } from '../setup/agents/agent-file.ts'
import { planAgentFiles, readAgentFile } from '../setup/agents/plan-agent-files.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'
import { commandIn, listNames } from './check-hooks.ts'
import { codexTrustNote, checkDisabledHooks } from './disabled-hooks.ts'

/** What keeps the agents that are told of kotef from asking it. */
export async function checkAgents(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const agents = await listConfiguredAgents(workspace)
  if (agents.length === 0) return []
  const each = await Promise.all(agents.map(it => checkAgent(workspace, it, env)))
  return [...(await checkAgentScript(workspace, env)), ...each.flat()]
}

/** What can't be seen from here of the agents that are told of kotef. */
export async function agentNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const agents = await listConfiguredAgents(workspace)
  return agents.some(it => it.name === 'codex') ? [await codexTrustNote(workspace, env)] : []
}

async function checkAgent(workspace: Workspace, agent: AgentSetup, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  return [...(await checkAgentFiles(workspace, agent)), ...(await checkDisabledHooks(workspace, agent.name, env))]
}

/** Which files do not call kotef as this version of it is to be called. */
async function checkAgentFiles(workspace: Workspace, agent: AgentSetup): Promise<DoctorProblem[]> {
  const fix = `Run \`${commandIn(workspace.root, `kotef init --agent ${agent.name}`)}\``
  try {
    const { changes, pastes } = await planAgentFiles(workspace, [agent])
    const byHand = await Promise.all(
      pastes.map(async it => ({ path: it.path, text: await readAgentFile(workspace, it.path) })),
    )
    const paths = [...changes, ...byHand.filter(it => !mentionsKotef(it.text ?? ''))].map(it => it.path)
    const own = paths.filter(path => agent.files.some(it => it.path === path))
    return own.length === 0
      ? []
      : [{ what: `${agent.name} is not told of kotef, or not as it should be, in ${listNames(own)}`, fix }]
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return [{ what: message, fix: hint }]
  }
}

/** Asks by the way that agents go. */
async function checkAgentScript(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const script = join(layoutOf(workspace).shared, 'agent')
  const { exit, stderr } = await runProgram('sh', [script, '--version'], { cwd: workspace.root, env })
  if (exit === 0) return []
  const why = stderr.trim().split('\n').at(-1) ?? ''
  return [
    {
      what: `agents do not find kotef from ${workspace.root}: ${why}`,
      fix: `Run \`${commandIn(workspace.root, 'kotef init')}\``,
    },
  ]
}
