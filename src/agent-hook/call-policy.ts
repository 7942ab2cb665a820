import { gather } from '../io/git/gather.ts'
import { readPrivateFile } from '../io/files/private-file.ts'
import { currentPolicy } from '../policy/current-policy.ts'
import type { CompiledPolicy } from '../scope/compiled-policy.ts'
import { ownPath } from '../worktree/layout.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The current policy, as far as calls are judged by it. */
export type CallPolicy = Pick<CompiledPolicy, 'policy' | 'opaqueCommands' | 'claims'>

/** Loads the compiled policy while none of its sources has changed; else parses the sources, which is slow. */
export async function loadCallPolicy(worktree: LightWorktree): Promise<CallPolicy> {
  const text = readPrivateFile(ownPath(worktree, 'compiled/state.json'))
  const current = await gather(worktree, currentPolicy(text, worktree))
  if (current) return current
  const { readCallPolicy } = await import('./read-call-policy.ts')
  return readCallPolicy(worktree.root)
}
