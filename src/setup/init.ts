import { compile } from '../workspace/compile.ts'
import { record } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Agent } from './agents/agents.ts'
import { govern } from './agents/govern.ts'
import { configureAgents, unconfigureAgents } from './agents/init-agents.ts'
import { type Plan, planFor } from './agents/plan.ts'
import { excludeLedger } from './exclude.ts'
import { type HooksFolder, wantedHooksFolder, type Wish } from './hooks-folder.ts'
import { installHooks, refuseUnwritable } from './install.ts'
import { installedHooks } from './installed-hooks.ts'
import { purge } from './purge.ts'
import { scaffold } from './scaffold.ts'
import { uninstallHooks } from './uninstall.ts'

export type Initialised = {
  readonly root: string
  /** The files that were written; what stood there already was left alone. */
  readonly created: readonly string[]
  readonly hooks: HooksFolder
  /** The version of a newer kotef whose hooks are installed, and were left as they are; else null. */
  readonly newer: string | null
  readonly agents: Configured
}

/** The files that were changed for agents, and what only a person can put into others. */
export type Configured = { readonly changed: readonly string[]; readonly pastes: Plan['pastes'] }

/**
 * Governs a repository: the files it needs, the git hooks, what the hooks judge by, and the configuration of agents.
 * Doing it again is harmless.
 */
export async function initialise(
  workspace: Workspace,
  wish: Wish,
  agents: readonly Agent[] = [],
): Promise<Initialised> {
  // Whatever keeps kotef from writing is found before anything is written.
  const plan = await planFor(workspace, agents)
  const hooks = await wantedHooksFolder(workspace, wish)
  await refuseUnwritable(workspace, hooks)
  await excludeLedger(workspace)
  const created = await scaffold(workspace)
  await installHooks(workspace, hooks)
  const configured = await configureAgents(workspace, agents, plan)
  const governed = await govern(workspace, configured)
  await compile(workspace)
  if (created.length > 0) await record(workspace, [{ event: { event: 'initialised' } }])
  const { found, version } = await installedHooks(workspace)
  const newer = found === 'newer' ? version : null
  const changed = [...configured, ...governed]
  return { root: workspace.root, created, hooks, newer, agents: { changed, pastes: plan.pastes } }
}

/**
 * What was taken out of a clone, what of kotef's files stays because somebody has worked on it, and the configuration
 * of agents that only a person can take kotef out of.
 */
export type Uninitialised = {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  readonly left: readonly string[]
}

/** Takes kotef out of a clone: the hooks, and what they judge by. The governance files stay unless they are purged. */
export async function uninitialise(
  workspace: Workspace,
  { purged }: { readonly purged: boolean },
): Promise<Uninitialised> {
  const agents = await unconfigureAgents(workspace)
  const removed = [...(await uninstallHooks(workspace)), ...agents.removed]
  if (!purged) return { removed, kept: [], left: agents.left }
  const files = await purge(workspace)
  return { removed: [...removed, ...files.removed], kept: files.kept, left: agents.left }
}
