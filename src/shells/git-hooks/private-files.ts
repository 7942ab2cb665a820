import { lstatSync, type Stats } from 'node:fs'

/** What is at a path, also a symbolic link; null for nothing. */
export function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}

/** Why another user could have written a file or a folder, as a predicate; null where only this user could. */
export function opennessFlaw(found: Stats | null): string | null {
  if (!found || found.uid !== process.geteuid?.()) return 'belongs to someone else'
  return found.mode & 0o077 ? `is open to others (mode ${(found.mode & 0o777).toString(8)})` : null
}
