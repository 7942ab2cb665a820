import { compilePolicy } from '../policy/compile-policy.ts'
import { loadConfig, loadPolicy } from '../policy/load-policy.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import type { CallPolicy } from './call-policy.ts'

/** Reads the policy from its sources, and has it compiled for whoever asks next. */
export async function readCallPolicy(root: string): Promise<CallPolicy> {
  const workspace = await openWorkspace(root)
  const policy = await loadPolicy(workspace)
  const { opaque_commands: opaqueCommands, claims } = await loadConfig(workspace)
  // Whoever asks next would only have to read it anew as well.
  await compilePolicy(workspace).catch(() => false)
  return { policy, opaqueCommands, claims }
}
