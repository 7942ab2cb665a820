import { compilePolicy } from '../policy/compile-policy.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { AgentSetup } from './agents/agent-setups.ts'
import { governAgentFiles } from './agents/govern-agent-files.ts'
import { configureAgents, unconfigureAgents } from './agents/configure-agents.ts'
import { type AgentFilesPlan, planAgentFiles } from './agents/plan-agent-files.ts'
import { excludeLedger } from './exclude-ledger.ts'
import { type HooksSetup, chooseHooksSetup, type HooksRequest } from './hooks/hooks-setup.ts'
import { installHooks, requireWritableHooks } from './install-hooks.ts'
import { readInstalledHooks } from './hooks/installed-hooks.ts'
import { purgeFiles } from './purge.ts'
import { writeScaffold } from './scaffold.ts'
import { uninstallHooks } from './uninstall-hooks.ts'

export type InitResult = {
  readonly root: string
  /** The files that were written; what stood there already was left alone. */
  readonly created: readonly string[]
  readonly hooks: HooksSetup
  /** The version of a newer kotef whose hooks are installed, and were left as they are; else null. */
  readonly newer: string | null
  readonly agents: AgentFilesResult
}

/** The files that were changed for agents, and what only a person can put into others. */
export type AgentFilesResult = { readonly changed: readonly string[]; readonly pastes: AgentFilesPlan['pastes'] }

/**
 * Governs a repository: the files it needs, the git hooks, what the hooks judge by, and the configuration of agents.
 * Doing it again is harmless.
 */
export async function initialise(
  workspace: Workspace,
  wish: HooksRequest,
  agents: readonly AgentSetup[] = [],
): Promise<InitResult> {
  // Whatever keeps kotef from writing is found before anything is written.
  const plan = await planAgentFiles(workspace, agents)
  const hooks = await chooseHooksSetup(workspace, wish)
  await requireWritableHooks(workspace, hooks)
  await excludeLedger(workspace)
  const created = await writeScaffold(workspace)
  await installHooks(workspace, hooks)
  const configured = await configureAgents(workspace, agents, plan)
  const governed = await governAgentFiles(workspace, configured)
  await compilePolicy(workspace)
  if (created.length > 0) await appendRecords(workspace, [{ event: { event: 'initialised' } }])
  const { found, version } = await readInstalledHooks(workspace)
  const newer = found === 'newer' ? version : null
  const changed = [...configured, ...governed]
  return { root: workspace.root, created, hooks, newer, agents: { changed, pastes: plan.pastes } }
}

/**
 * What was taken out of a clone, what of kotef's files stays because somebody has worked on it, and the configuration
 * of agents that only a person can take kotef out of.
 */
export type UninitResult = {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  readonly left: readonly string[]
}

/** Takes kotef out of a clone: the hooks, and what they judge by. The governance files stay unless they are purged. */
export async function uninitialise(
  workspace: Workspace,
  { purged }: { readonly purged: boolean },
): Promise<UninitResult> {
  const agents = await unconfigureAgents(workspace)
  const removed = [...(await uninstallHooks(workspace)), ...agents.removed]
  if (!purged) return { removed, kept: [], left: agents.left }
  const files = await purgeFiles(workspace)
  return { removed: [...removed, ...files.removed], kept: files.kept, left: agents.left }
}
