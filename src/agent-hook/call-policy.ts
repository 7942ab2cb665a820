import { join } from 'node:path'
import { readPrivateFile } from '../io/files/private-file.ts'
import { VERSION } from '../io/files/package.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { type CompiledPolicy, sourcesStamp, parseCompiledPolicy } from '../scope/compiled-policy.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The current policy, as far as calls are judged by it. */
export type CallPolicy = Pick<CompiledPolicy, 'policy' | 'opaqueCommands' | 'claims'>

/** Loads the compiled policy while none of its sources has changed; else parses the sources, which is slow. */
export async function loadCallPolicy(worktree: LightWorktree): Promise<CallPolicy> {
  const stamp = await policyStamp(worktree)
  const state = parseCompiledPolicy(readPrivateFile(join(worktree.gitDir, 'kotef/compiled/state.json')))
  if (stamp !== null && state?.stamp === stamp && state.kotef === VERSION) return state
  const { readCallPolicy } = await import('./read-call-policy.ts')
  return readCallPolicy(worktree.root)
}

/** The stamp of the policy's current sources; null when one of them can't be read. */
async function policyStamp({ root, files, inHead }: LightWorktree): Promise<string | null> {
  try {
    return sourcesStamp(await Promise.all(POLICY_FILES.map(it => files.read(join(root, it)))), inHead)
  } catch {
    return null
  }
}
