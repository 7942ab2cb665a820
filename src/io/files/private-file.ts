import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** The text of a file that nobody else can have written or read, going by its owner and mode; else null. */
export function readPrivateFile(path: string): string | null {
  try {
    // A link leads to what somebody else may own, and a pipe would hold us.
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
