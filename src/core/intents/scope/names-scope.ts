import micromatch from 'micromatch'
import { globList } from '../../base/globs.ts'

/** True when a path, folder or glob as a person writes it names a path that a scope owns, or a folder around one. */
export function namesScope(scope: readonly string[]): (named: string) => boolean {
  const isOwned = globList(scope)
  const bases = scope.filter(it => !it.startsWith('!')).map(it => micromatch.scan(it).base)
  return given => {
    const named = given.replace(/^\.?\//, '')
    if (isOwned(named)?.kind === 'in') return true
    const { base, isGlob } = micromatch.scan(named)
    if (!isGlob && !named.endsWith('/')) return false
    const folder = base.replace(/\/$/, '')
    return bases.some(it => isInFolder(it, folder) || isInFolder(folder, it))
  }
}

function isInFolder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
