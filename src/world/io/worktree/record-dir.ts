import { join } from 'node:path'
import { readPrivateFile, takeFile } from '../files/private-file.ts'
import { ownPath } from './layout.ts'
import type { GitDirAccess } from './workspace.ts'

// Agents' hooks load this file with every tool call: it imports neither zod nor yaml.

/** A folder of small JSON files in `<git-dir>/kotef`. A file is written whole and renamed, so no reader sees half. */
export type RecordDir<T, Written = T> = {
  path(name: string): string
  /** The names of the folder's records, sorted. Other files, such as temporary ones, are left out. */
  names(): Promise<string[]>
  /** A record; null when its file is absent or damaged. Throws when the disk can't read it. */
  get(name: string): Promise<T | null>
  /** The folder's records, sorted by name, without damaged files. */
  list(limit?: number): Promise<RecordFile<T>[]>
  /** Writes a record, and removes what `max` and `ttlMs` no longer allow. */
  put(name: string, record: Written): Promise<void>
  /** Removes a record; true for exactly one of the callers that take it at the same time. */
  take(name: string): Promise<boolean>
  remove(name: string): Promise<void>
}

export type RecordFile<T> = { readonly name: string; readonly record: T }

type RecordDirOptions<T> = {
  readonly folder: readonly string[]
  readonly fileName: RegExp
  /** Reads a file's text. A file is damaged when the result is null, and when this throws. */
  readonly parse: (text: string, path: string) => T | null
  /** For files that must survive a crash of the machine: they are synced, and indented for a person to read. */
  readonly isDurable?: boolean
  /** Ignores files that another user could have written or read. */
  readonly isPrivate?: boolean
  /** How many files `put` leaves beside the new one: the last by name. */
  readonly max?: number
  /** `put` removes files further than this from the new one, by the milliseconds that all names begin with. */
  readonly ttlMs?: number
}

/** Opens a folder of records. `Written` is the type that is put, where `parse` returns more than that. */
export function recordDir<T, Written = T>(
  { gitDir, files }: GitDirAccess,
  options: RecordDirOptions<T>,
): RecordDir<T, Written> {
  const { fileName, parse, isDurable = false, isPrivate = false, max = Infinity, ttlMs = Infinity } = options
  const folder = ownPath({ gitDir }, ...options.folder)
  const path = (name: string): string => join(folder, name)
  const names = async () => (await files.list(folder)).filter(it => fileName.test(it)).sort()
  const get = async (name: string): Promise<T | null> => {
    const text = isPrivate ? readPrivateFile(path(name)) : ((await files.read(path(name)))?.toString('utf8') ?? null)
    try {
      return text === null ? null : parse(text, path(name))
    } catch {
      return null
    }
  }
  const sweep = async (newName: string): Promise<void> => {
    if (max === Infinity && ttlMs === Infinity) return
    const all = (await files.list(folder)).sort()
    const isFresh = (name: string): boolean => ttlMs === Infinity || Math.abs(timeIn(newName) - timeIn(name)) <= ttlMs
    const kept = new Set(all.filter(isFresh).slice(-max))
    // A file that can't be removed must not stop the caller: the folder is open to anything that the user puts there.
    for (const name of all) if (!kept.has(name)) await files.remove(path(name)).catch(() => {})
  }
  return {
    path,
    names,
    get,
    async list(limit = Infinity) {
      const read = async (name: string) => ({ name, record: await get(name) })
      const all = await Promise.all((await names()).slice(0, limit).map(read))
      return all.flatMap(({ name, record }) => (record === null ? [] : [{ name, record }]))
    },
    async put(name, record) {
      await sweep(name)
      if (isDurable) await files.replace(path(name), `${JSON.stringify(record, null, 2)}\n`, 0o600)
      else await files.put(path(name), JSON.stringify(record))
    },
    take: name => takeFile(files, path(name)),
    remove: name => files.remove(path(name)),
  }
}

function timeIn(name: string): number {
  return Number(/^\d{1,15}(?=-)/.exec(name)?.[0])
}
