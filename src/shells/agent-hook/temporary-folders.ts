import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { isWithin } from '../../world/io/files/real-path.ts'

/**
 * The real paths of the folders for temporary files. `TMPDIR` is that of this process: one that a command sets does not
 * count. It is left out where the home folder is in it, or where a link could lead it elsewhere.
 */
export async function findTemporaryFolders(): Promise<TemporaryFolders> {
  const home = await realpath(homedir()).catch(() => homedir())
  const own = process.env['TMPDIR'] ?? ''
  const isLink = (await lstat(own.replace(/\/+$/, '') || '/').catch(() => null))?.isSymbolicLink() ?? true
  const [systemFolders, ownFolder] = await Promise.all([
    realPaths(['/tmp', '/var/tmp']),
    realPaths(isLink ? [] : [own]),
  ])
  const safe = ownFolder.filter(it => it !== '/' && it !== home && !isWithin(it, home))
  return { home, folders: [...new Set([...systemFolders, ...safe])] }
}

type TemporaryFolders = { readonly home: string; readonly folders: readonly string[] }

/** The folder for temporary files that a path is in; null when there is none. A home folder within one is not free. */
export function temporaryFolderOf(path: string, { home, folders }: TemporaryFolders): string | null {
  const isAtHome = path === home || isWithin(home, path)
  const folder = folders.find(it => isWithin(it, path) && !(isAtHome && isWithin(it, home)))
  // kotef's own: the daemon's socket, and clones for a check.
  return folder === undefined || relative(folder, path).startsWith('kotef-') ? null : folder
}

async function realPaths(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.filter(isAbsolute).map(it => realpath(it).catch(() => null)))
  return found.filter(it => it !== null)
}

/**
 * True for a path that may be another repository's: git's folder, a bare repository or a worktree stands
 * between it and `top`.
 */
export async function isInOtherRepository(path: string, top: string): Promise<boolean> {
  const names = relative(top, path).split('/')
  if (names.some(it => it.toLowerCase() === '.git')) return true
  for (let at = path; at !== top && at !== dirname(at); at = dirname(at)) if (await isRepository(at)) return true
  return false
}

/** True for a folder with a git directory, or the files of one. */
export async function isRepository(folder: string): Promise<boolean> {
  if (await exists(join(folder, '.git'))) return true
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map(it => exists(join(folder, it))))
  return parts.every(Boolean)
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}
