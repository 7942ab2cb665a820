import { fileNameFor } from '../../io/files/file-name.ts'
import { type DeclarationConflict, conflictKey } from '../../../core/code/map/conflicts.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { GitDirAccess } from '../../io/worktree/workspace.ts'

/** Those of some conflicts that were not reported to a session before. They count as reported from now on. */
export async function unreportedConflicts(
  access: GitDirAccess,
  session: string,
  conflicts: readonly DeclarationConflict[],
): Promise<DeclarationConflict[]> {
  const path = reportedPath(access, session)
  const reported = new Set((await access.files.read(path))?.toString('utf8').split('\n'))
  const fresh = conflicts.filter(it => !reported.has(conflictKey(it)))
  if (fresh.length === 0) return []
  const all = [...reported, ...fresh.map(conflictKey)].filter(Boolean)
  await access.files.put(path, `${all.slice(-REPORTED_MAX).join('\n')}\n`)
  return fresh
}

const REPORTED_MAX = 500

/** Forgets what was reported to a session: it has ended. */
export async function forgetReported(access: GitDirAccess, session: string): Promise<void> {
  await access.files.remove(reportedPath(access, session))
}

function reportedPath(access: GitDirAccess, session: string): string {
  return ownPath(access, 'conflicts', fileNameFor(session))
}
