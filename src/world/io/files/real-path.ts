import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { systemErrorCode } from './files.ts'

/**
 * A path with the symbolic links of its nearest existing parent resolved. The last part is not resolved: a link is
 * judged by its own name.
 */
export async function realPathOf(path: string): Promise<string> {
  const parent = dirname(path)
  return parent === path ? path : join(await realFolder(parent), basename(path))
}

async function realFolder(path: string): Promise<string> {
  return realpath(path).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'ENOENT' && systemErrorCode(thrown) !== 'ENOTDIR') throw thrown
    return realPathOf(path)
  })
}

/** True for a path below a folder at any depth, compared as text. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path)
  return below !== '' && below !== '..' && !below.startsWith('../') && !isAbsolute(below)
}
