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
  /** The files that were written. Existing files are not changed. */
  readonly created: readonly string[]
  readonly hooks: HooksSetup
  /** The version of a newer kotef whose installed hooks were not changed; else null. */
  readonly newer: string | null
  readonly agents: AgentFilesResult
}

/** The files that were changed for agents, and the texts that a person has to paste into others. */
export type AgentFilesResult = { readonly changed: readonly string[]; readonly pastes: AgentFilesPlan['pastes'] }

/**
 * Governs a repository: writes the missing files, installs the git hooks, compiles the policy and configures agents. It
 * can be run again at any time.
 */
export async function initialise(
  workspace: Workspace,
  wish: HooksRequest,
  agents: readonly AgentSetup[] = [],
): Promise<InitResult> {
  // All obstacles to writing are checked before the first file is written.
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
 * The places that kotef was removed from, its own files that stay because they were edited, and the agents' files that
 * kotef can't edit.
 */
export type UninitResult = {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  readonly left: readonly string[]
}

/** Removes kotef's hooks and the compiled policy from a clone. The governance files stay unless they are purged. */
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
