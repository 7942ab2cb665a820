import { constants, type Stats } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { codeOf } from './files.ts'

/** What stands at a path of the worktree: bytes as they are on disk, mode as git's six octal digits. */
export type Standing = {
  readonly mode: '100644' | '100755' | '120000'
  readonly bytes: Buffer
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
  /** Changes whenever the file does: size, times, inode and mode. */
  readonly signature: string
}

/** Reads a file or a symlink (its target's name); null when there is neither; `torn` when it changed meanwhile. */
export async function standingAt(path: string): Promise<Standing | null | 'torn'> {
  try {
    const before = await lstat(path)
    if (before.isSymbolicLink()) return standing(before, '120000', Buffer.from(await readlink(path)))
    if (!before.isFile()) return null
    // A path that became a symlink since must not lead out of the tree; one that became a pipe must not hold us.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const bytes = await file.readFile().finally(() => file.close())
    const after = await lstat(path)
    if (signatureOf(before) !== signatureOf(after)) return 'torn'
    return standing(after, after.mode & 0o100 ? '100755' : '100644', bytes)
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ELOOP') return 'torn'
    throw thrown
  }
}

/** What a file's stat says, or null when there is none: equal means nobody wrote it since. */
export async function signatureAt(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null)
  return stat && !stat.isDirectory() ? signatureOf(stat) : null
}

/** How large a file is, and when it was last written (milliseconds since 1970); null when there is none. */
export async function sizeAt(path: string): Promise<{ bytes: number; modifiedAt: number } | null> {
  const stat = await lstat(path).catch(() => null)
  return stat?.isFile() ? { bytes: stat.size, modifiedAt: stat.mtimeMs } : null
}

function standing(stat: Stats, mode: Standing['mode'], bytes: Buffer): Standing {
  return { mode, bytes, modifiedAt: stat.mtimeMs, signature: signatureOf(stat) }
}

function signatureOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`
}
