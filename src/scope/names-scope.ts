import micromatch from 'micromatch'
import { globList } from '../paths/globs.ts'

/** True for a path, a folder or a glob as people write it, that means something a scope owns, or a folder around it. */
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
