import { globTest } from '../base/globs.ts'

/** True for a glob, or the path of a file or folder, that means one of some files. */
export function fileLookup(files: readonly string[]): (glob: string) => boolean {
  const known = new Set(files.flatMap(it => [it, ...foldersOf(it)]))
  return glob => {
    if (known.has(glob)) return true
    const folder = literalFolder(glob)
    if (folder !== '' && !known.has(folder)) return false
    const test = globTest(glob)
    return files.some(it => it.startsWith(folder) && test(it))
  }
}

/** The folder at which the search for a glob's files begins: the folders before its first special character. */
export function literalFolder(glob: string): string {
  const literal = /^[^*?+@!|()[\]{}\\]*/.exec(glob)?.[0] ?? ''
  return literal.length === glob.length ? glob : literal.slice(0, Math.max(0, literal.lastIndexOf('/')))
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, n) => parts.slice(0, n + 1).join('/'))
}
