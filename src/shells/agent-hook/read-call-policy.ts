import { callPolicyOf } from '../../core/rules/policy-of-sources.ts'
import { compilePolicy } from '../../world/intents/policy/compile-policy.ts'
import type { PolicyFiles } from '../../world/intents/policy/current-policy.ts'
import { readPolicySources } from '../../world/intents/policy/load-policy.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import type { CallPolicy } from '../../core/intents/scope/compiled-policy.ts'

/** Parses the policy's files, which were read already unless one can't be, and compiles them for the next hook. */
export async function readCallPolicy(root: string, files: PolicyFiles | null): Promise<CallPolicy> {
  const workspace = await openWorkspace(root)
  const sources = await readPolicySources(workspace, files?.contents)
  // A failure costs time only: the next hook parses the files again.
  await compilePolicy(workspace, { files, sources }).catch(() => false)
  return callPolicyOf(sources)
}
