import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { Files } from './files.ts'

/** The text of a file that only this user can read and write, by its owner and mode; null for any other file. */
export function readPrivateFile(path: string): string | null {
  try {
    // A link may lead to another user's file, and a pipe would block.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return isPrivate(file) ? readFileSync(file, 'utf8') : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function isPrivate(file: number): boolean {
  const stat = fstatSync(file)
  return stat.isFile() && stat.uid === process.geteuid?.() && (stat.mode & 0o077) === 0
}

/** Removes a file. Of several callers at once exactly one gets true, because a rename succeeds only once. */
export async function takeFile(files: Files, path: string): Promise<boolean> {
  const mine = `${path}.${randomUUID()}.taken`
  await files.move(path, mine)
  const isMine = (await files.modifiedAt(mine)) !== null
  await files.remove(mine)
  return isMine
}
