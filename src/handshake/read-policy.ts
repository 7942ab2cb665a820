import { compile } from '../workspace/compile.ts'
import { loadConfig, loadPolicy } from '../workspace/policy.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { PolicyNow } from './policy-now.ts'

/** Reads the policy from its sources, and has it compiled for whoever asks next. */
export async function readPolicy(root: string): Promise<PolicyNow> {
  const workspace = await openWorkspace(root)
  const policy = await loadPolicy(workspace)
  const { opaque_commands: opaqueCommands, claims } = await loadConfig(workspace)
  // Whoever asks next would only have to read it anew as well.
  await compile(workspace).catch(() => false)
  return { policy, opaqueCommands, claims }
}
