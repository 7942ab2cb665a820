import { constants, type Stats } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { Files } from './files.ts'
import { readRegularFileSync } from './regular-file.ts'

/** The text of a file that only this user can read and write, by its owner and mode; null for any other file. */
export function readPrivateFile(path: string): string | null {
  try {
    // A link may lead to another user's file.
    return readRegularFileSync(path, { flags: constants.O_NOFOLLOW, isFit: isPrivate })?.toString('utf8') ?? null
  } catch {
    return null
  }
}

function isPrivate({ uid, mode }: Stats): boolean {
  return uid === process.geteuid?.() && (mode & 0o077) === 0
}

/** Removes a file. Of several callers at once exactly one gets true, because a rename succeeds only once. */
export async function takeFile(files: Files, path: string): Promise<boolean> {
  const mine = `${path}.${randomUUID()}.taken`
  await files.move(path, mine)
  const isMine = (await files.modifiedAt(mine)) !== null
  await files.remove(mine)
  return isMine
}
