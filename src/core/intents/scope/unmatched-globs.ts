import { globTest } from '../../base/globs.ts'

/** The globs of a scope that no path matches: often a typing error, or a folder that does not exist yet. */
export function unmatchedGlobs(scope: readonly string[], paths: readonly string[]): string[] {
  return scope.filter(glob => {
    const matches = globTest(glob.startsWith('!') ? glob.slice(1) : glob)
    return !paths.some(it => matches(it))
  })
}
