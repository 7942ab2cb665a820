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

/** What keeps the configured agents from calling kotef? */
export async function checkAgents(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const agents = await listConfiguredAgents(workspace)
  if (agents.length === 0) return []
  const each = await Promise.all(agents.map(it => checkAgent(workspace, it, env)))
  return [...(await checkAgentScript(workspace, env)), ...each.flat()]
}

/** What can't kotef see of the configured agents? */
export async function agentNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const agents = await listConfiguredAgents(workspace)
  return agents.some(it => it.name === 'codex') ? [await codexTrustNote(workspace, env)] : []
}

async function checkAgent(workspace: Workspace, agent: AgentSetup, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  return [...(await checkAgentFiles(workspace, agent)), ...(await checkDisabledHooks(workspace, agent.name, env))]
}

/** Which files of an agent lack kotef's entries, or have those of another version? */
async function checkAgentFiles(workspace: Workspace, agent: AgentSetup): Promise<DoctorProblem[]> {
  const hint = `Run \`${commandIn(workspace.root, `kotef init --agent ${agent.name}`)}\``
  try {
    const { changes, pastes } = await planAgentFiles(workspace, [agent])
    const byHand = await Promise.all(
      pastes.map(async it => ({ path: it.path, text: await readAgentFile(workspace, it.path) })),
    )
    const paths = [...changes, ...byHand.filter(it => !mentionsKotef(it.text ?? ''))].map(it => it.path)
    const own = paths.filter(path => agent.files.some(it => it.path === path))
    return own.length === 0
      ? []
      : [{ message: `kotef's entries for ${agent.name} are missing or outdated in ${listNames(own)}`, hint }]
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return [{ message, hint }]
  }
}

/** Runs the script that agents run, with an option that changes nothing. */
async function checkAgentScript(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorProblem[]> {
  const script = join(layoutOf(workspace).shared, 'agent')
  const { exit, stderr } = await runProgram('sh', [script, '--version'], { cwd: workspace.root, env })
  if (exit === 0) return []
  const why = stderr.trim().split('\n').at(-1) ?? ''
  return [
    {
      message: `agents can't find kotef from ${workspace.root}: ${why}`,
      hint: `Run \`${commandIn(workspace.root, 'kotef init')}\``,
    },
  ]
}
