import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'

// As world/io/files/file-state.ts, but synchronous: the thread that watches must not wait between two events.

/**
 * Identifies the directory at a path; null when there is none. The birth time is part of it, because an inode number is
 * reused.
 */
export function directoryIdentity(absolute: string): string | null {
  const stat = statAt(absolute)
  return stat ? identityOf(stat) : null
}

/** The same by its stat; null for anything but a directory. */
export function identityOf(stat: Stats): string | null {
  return stat.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : null
}

/** The stat of a path, which may be a symlink; undefined when there is none. */
export function statAt(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, NO_THROW)
  } catch {
    return undefined
  }
}

/** What is in a directory; nothing when it can't be read. */
export function entriesOf(absolute: string): Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true })
  } catch {
    return []
  }
}

const NO_THROW = { throwIfNoEntry: false } as const
