import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { systemErrorCode } from './files.ts'

/**
 * Where a path really is: the symbolic links of its nearest existing parent are resolved. The last part is left as it
 * is, for a link is judged by its own name.
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

/** True for what lies in a folder, however deep, going by the names. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}
