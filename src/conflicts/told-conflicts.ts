import { fileNameFor } from '../io/files/file-name.ts'
import { type DeclarationConflict, conflictKey } from '../overlap/conflicts.ts'
import { ownPath } from '../worktree/layout.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'

/** Those of some conflicts that a session was not told of before. They count as told from now on. */
export async function conflictsToTell(
  access: GitDirAccess,
  session: string,
  conflicts: readonly DeclarationConflict[],
): Promise<DeclarationConflict[]> {
  const path = toldPath(access, session)
  const told = new Set((await access.files.read(path))?.toString('utf8').split('\n'))
  const fresh = conflicts.filter(it => !told.has(conflictKey(it)))
  if (fresh.length === 0) return []
  const all = [...told, ...fresh.map(conflictKey)].filter(Boolean)
  await access.files.put(path, `${all.slice(-TOLD_MAX).join('\n')}\n`)
  return fresh
}

const TOLD_MAX = 500

/** Forgets what a session was told: it has ended. */
export async function forgetTold(access: GitDirAccess, session: string): Promise<void> {
  await access.files.remove(toldPath(access, session))
}

function toldPath(access: GitDirAccess, session: string): string {
  return ownPath(access, 'conflicts', fileNameFor(session))
}
