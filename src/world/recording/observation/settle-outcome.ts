import type { FileState } from '../../io/files/file-state.ts'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import type { ObservedAt } from '../git-evidence/epoch.ts'
import { type Content, setPath, setStaged, type WorktreeState } from './worktree-state.ts'

/** The result of a look at a path. */
export type Outcome = {
  readonly path: string
  readonly content: Content
  readonly file: Pick<FileState, 'signature'> | null
  readonly observedAt: ObservedAt
  readonly git: GitStatusEntry['kind'] | undefined
  /** Its write is in a record, git brought the content, or it is as it was; git's status may call it ignored. */
  readonly origin: 'recorded' | 'git' | 'unchanged' | 'ignored'
}

/**
 * Remembers the result of a look at a path. A path is known after exactly one of: its write was recorded, the content
 * is git's, nothing had changed.
 */
export function settleOutcome(state: WorktreeState, outcome: Outcome): void {
  const { path, content, observedAt, git, origin } = outcome
  for (const oid of seenOids(state, outcome)) state.epoch.markSeen(path, oid)
  if (origin === 'recorded' || git === 'staged' || git === 'dirty') setStaged(state, path)
  // A file that git's status came too early for looks like an ignored one.
  if (origin === 'ignored') return
  const signature = outcome.file?.signature ?? null
  // A preexisting file that was touched, not changed, is as unknown as before.
  const traced = origin !== 'unchanged' || (state.paths.get(path)?.traced ?? true)
  const seen = { content, signature, traced, at: observedAt.at }
  setPath(state, path, origin === 'recorded' ? { ...seen, git } : seen)
  state.epoch.markInspected(path, observedAt)
}

/** The contents that the look proves to have been at the path. */
function seenOids({ index }: WorktreeState, { path, content, git, origin }: Outcome): (string | null)[] {
  const staged = index.get(path)?.oid
  // The record covers the staged content as well, which is an earlier state of the same write.
  if (origin === 'recorded') return [content?.oid ?? null, ...(staged === undefined ? [] : [staged])]
  // A filter makes another blob of what is known.
  const isFiltered = origin === 'unchanged' && (git === undefined || git === 'staged') && content !== null
  return isFiltered && staged !== undefined && staged !== content.oid ? [staged] : []
}
