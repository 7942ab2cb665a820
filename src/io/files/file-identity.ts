import { stat } from 'node:fs/promises'

/** Identifies the file or folder at a path, independent of its content; null when there is none. */
export async function fileIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  // The birth time is part of it: the system reuses an inode number as soon as its folder is removed.
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
