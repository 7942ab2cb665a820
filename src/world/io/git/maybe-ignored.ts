import { join } from 'node:path'
import ignore from 'ignore'
import { GLOB_CHARS_MAX } from '../../../core/base/globs.ts'
import { readRegularFile } from '../files/regular-file.ts'

/**
 * Those of some paths that a line of gitignore may match, apart from the user's own list. It asks no process, so that
 * git is started only for these: it knows exceptions, and which files are tracked.
 */
export async function maybeIgnored(
  { root, commonDir }: { readonly root: string; readonly commonDir: string },
  paths: readonly string[],
): Promise<string[]> {
  const own = await readLines(join(commonDir, 'info/exclude'))
  const matches = await Promise.all(paths.map(async it => matchesLine(own, it) || (await isMatchedIn(root, it))))
  return paths.filter((_, n) => matches[n])
}

async function isMatchedIn(root: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  const levels = parts.map(async (_, n) => {
    const lines = await readLines(join(root, ...parts.slice(0, n), '.gitignore'))
    return matchesLine(lines, parts.slice(n).join('/'))
  })
  return (await Promise.all(levels)).includes(true)
}

// What git may read in another way counts as a match; exceptions are left to it. A path may be one of a folder.
function matchesLine(lines: readonly string[], path: string): boolean {
  if (lines.length === 0) return false
  if (lines.some(it => /[[\\]/.test(it) || it.length > GLOB_CHARS_MAX) || !ignore.isPathValid(path)) return true
  const rules = ignore().add([...lines])
  return rules.ignores(path) || rules.ignores(`${path}/`)
}

async function readLines(path: string): Promise<string[]> {
  const text = (await readRegularFile(path).catch(() => null))?.toString('utf8') ?? ''
  return text.split('\n').filter(it => it.trim() !== '' && !/^[#!]/.test(it))
}
