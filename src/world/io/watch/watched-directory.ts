import { type FSWatcher, watch } from 'node:fs'
import { CHANGE_TICK_MS_MAX } from '../../../core/base/thresholds.ts'
import { identityOf, statAt } from './directory-stats.ts'

/** A directory that is watched. */
export type WatchedDirectory = {
  readonly watcher: FSWatcher
  readonly identity: string
  /** When it was last changed, in milliseconds since 1970; null when a later change may have the same time. */
  readonly changedAt: number | null
  /** The watched directories in it. */
  readonly below: Set<string>
  /** How many directories were in it when it was read. */
  found: number
}

/** Watches a directory. Throws the system's error where it can't, and ENOTDIR for anything else at the path. */
export function watchDirectory(
  absolute: string,
  onEvent: (kind: 'rename' | 'change', name: string) => void,
): WatchedDirectory {
  const watcher = watch(absolute, (kind, name) => onEvent(kind, name ?? ''))
  watcher.on('error', () => onEvent('rename', ''))
  const stat = statAt(absolute)
  const identity = stat ? identityOf(stat) : null
  // A symlink that took the place of a directory must not lead out of the tree.
  if (!stat || identity === null) throw closed(watcher)
  const changedAt = Date.now() - stat.ctimeMs > CHANGE_TICK_MS_MAX ? stat.ctimeMs : null
  return { watcher, identity, changedAt, below: new Set(), found: 0 }
}

function closed(watcher: FSWatcher): Error {
  watcher.close()
  return Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
}
