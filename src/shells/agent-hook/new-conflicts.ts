import { findConflicts } from '../../world/code/conflicts/find-conflicts.ts'
import { unreportedConflicts } from '../../world/code/conflicts/reported-conflicts.ts'
import { conflictLine } from '../../core/report/conflict-lines.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The conflicts of a session in some paths that were not reported to it yet, as text; null for none. */
export async function newConflictsText(
  worktree: LightWorktree,
  session: string,
  paths: readonly string[],
): Promise<string | null> {
  const found = await findConflicts(await openWorkspace(worktree.root), { session, paths })
  const fresh = await unreportedConflicts(worktree, session, found)
  if (fresh.length === 0) return null
  return ['kotef: another intent changes what this session has just changed.', ...fresh.map(conflictLine), ADVICE].join(
    '\n',
  )
}

const ADVICE = 'Both changes will meet in a merge. Keep yours small, or ask the user which intent goes first.'
