import type { Reply } from '../../core/agents/adapter.ts'
import { livePlaces, mayOthersHaveWritten } from '../../world/code/conflicts/live-places.ts'
import type { LightWorktree } from './governed-worktree.ts'

/**
 * Reports to a session that has just written some paths which declarations in them another intent changes as well, each
 * once. Where no session of another intent has written them, that takes a look at the ends of their ledgers.
 */
export async function conflictReply(
  worktree: LightWorktree,
  session: string,
  paths: readonly string[],
): Promise<Reply> {
  if (paths.length === 0) return SILENT_REPLY
  const places = await livePlaces(worktree)
  const own = places.find(it => it.session === session && it.worktree === worktree.root)
  if (!own || !(await mayOthersHaveWritten(places, own.intent, paths))) return SILENT_REPLY
  const { newConflictsText } = await import('./new-conflicts.ts')
  const text = await newConflictsText(worktree, session, paths)
  return text === null ? SILENT_REPLY : { kind: 'context', text }
}

const SILENT_REPLY: Reply = { kind: 'silence' }
