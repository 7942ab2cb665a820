import { loadPolicy } from '../intents/policy/load-policy.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Answers whether an intent owns a path by the policy of the worktree; none does where that can't be read. */
export async function loadPathOwners(workspace: Workspace): Promise<(intent: string, path: string) => boolean> {
  const policy = await loadPolicy(workspace).catch(() => null)
  if (!policy) return () => false
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  return (intent, path) => judge(scopes.get(intent) ?? [], path).kind === 'owned'
}
