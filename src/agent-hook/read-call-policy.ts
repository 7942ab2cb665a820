import { compilePolicy } from '../policy/compile-policy.ts'
import { loadAgentFreedom, loadConfig, loadPolicy } from '../policy/load-policy.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import type { CallPolicy } from './governed-worktree.ts'

/** Parses the policy's sources, and compiles them for the next hook. */
export async function readCallPolicy(root: string): Promise<CallPolicy> {
  const workspace = await openWorkspace(root)
  const policy = await loadPolicy(workspace)
  const { opaque_commands: opaqueCommands, claims } = await loadConfig(workspace)
  // A failure costs time only: the next hook parses the sources again.
  await compilePolicy(workspace).catch(() => false)
  return { policy, opaqueCommands, claims, freedom: await loadAgentFreedom(workspace) }
}
