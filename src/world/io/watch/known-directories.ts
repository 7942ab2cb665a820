import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX, readRegularFileSync } from '../files/regular-file.ts'
import { groupBy } from '../../../core/base/grouping.ts'

/**
 * The directories of a worktree that are probably not ignored. For each that is known as a whole (all directories in it
 * are in the map, too), when it was last changed, in milliseconds since 1970; null for any other.
 */
export type KnownDirectories = ReadonlyMap<string, number | null>

/** When a directory was last changed before it was read, and the directories that were in it. */
export type LastLook = { readonly changedAt: number; readonly below: readonly string[] }

/** The last look at each directory that is known as a whole; null for any other. */
export function lastLooks(known: KnownDirectories): (path: string) => LastLook | null {
  const inside = groupBy([...known.keys()].filter(Boolean), parentOf)
  return path => {
    const changedAt = known.get(path) ?? null
    return changedAt === null ? null : { changedAt, below: inside.get(path) ?? [] }
  }
}

// Git takes as long to list its index as to read a large tree. A watcher that knows what the last one watched need not
// wait: most of it is still there and has not changed, and what git ignores now is left again.

/** The directories that the last watcher of a worktree watched, by kotef's folder; null when they are not known. */
export function lastWatched(folder: string): KnownDirectories | null {
  try {
    const text = readRegularFileSync(listIn(folder), { bytesMax: LARGE_FILE_BYTES_MAX })?.toString('utf8')
    return text === undefined ? null : new Map(JSON.parse(text) as [string, number | null][])
  } catch {
    return null
  }
}

/** Keeps the watched directories for the next watcher; without a disk that takes them, that one asks git. */
export function keepWatched(folder: string, watched: KnownDirectories): void {
  const temporary = `${listIn(folder)}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify([...watched]), { mode: 0o600 })
    renameSync(temporary, listIn(folder))
  } catch {
    // The old list is as good as none.
  }
}

function listIn(folder: string): string {
  return join(folder, 'directories.json')
}

/** The path of an entry. As `join`, which takes a tenth of the time in which a large tree is entered. */
export function pathIn(directory: string, name: string): string {
  return directory === '' || name === '' ? directory + name : `${directory}/${name}`
}

/** The path of the directory that a path is in; `''` for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
