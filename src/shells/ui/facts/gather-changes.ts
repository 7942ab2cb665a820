import { gitStatus } from '../../../core/git/status.ts'
import { intentsOwning, openIntents } from '../../../core/rules/commit-facts.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import type { ChangeNow } from '../pages/now-facts.ts'
import { loadPolicy } from '../../../world/intents/policy/load-policy.ts'
import { liveSessions } from '../../../world/intents/sessions/live-sessions.ts'
import { dirtyPaths, existingPaths, pathsOutOfScope, watchedStatus } from '../../../world/views/worktree-changes.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The paths that differ from HEAD, and those whose content no record has, as `kotef status` counts them. */
export async function gatherChanges(workspace: Workspace): Promise<ChangeNow[]> {
  const [policy, [session = null], status, watched] = await Promise.all([
    loadPolicy(workspace).catch(() => null),
    liveSessions(workspace),
    workspace.git.ask(gitStatus),
    watchedStatus(workspace),
  ])
  const untraced = new Set(await existingPaths(workspace, watched.untraced))
  const outside = new Set(policy ? pathsOutOfScope(policy, session, await dirtyPaths(workspace)) : [])
  const judge = policy && judgePath(policy)
  const kinds = new Map(status.map(it => [it.path, it.kind]))
  return [...new Set([...kinds.keys(), ...untraced])].sort().map(path => ({
    path,
    kind: kinds.get(path) ?? 'clean',
    owners: policy && judge ? intentsOwning(path, openIntents(policy), judge).map(it => it.id) : [],
    isOutside: outside.has(path),
    isUntraced: untraced.has(path),
  }))
}
