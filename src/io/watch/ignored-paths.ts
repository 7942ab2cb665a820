import { matchesNone } from '../../paths/globs.ts'

/** What a backend ignores; it learns of directories that came later, and forgets what is gone. */
export type IgnoredPaths = {
  has(path: string): boolean
  add(paths: readonly string[]): void
  forget(path: string): void
  /** Puts other paths in place of those so far; answers the paths that are no longer among them, and the new ones. */
  replace(paths: readonly string[]): { readonly gone: string[]; readonly come: string[] }
}

/** Git's own, what git ignores, and what the globs say. */
export function ignoredPathsOf(globs: readonly string[], paths: readonly string[] = []): IgnoredPaths {
  let ignored = new Set(paths)
  const isOutside = matchesNone(globs)
  const isGits = (path: string): boolean => /(^|\/)\.git$/.test(path) || path.startsWith('.git/')
  return {
    has: path => isGits(path) || ignored.has(path) || !isOutside(path),
    add: more => more.forEach(it => ignored.add(it)),
    forget: path => void ignored.delete(path),
    replace: now => {
      const before = ignored
      ignored = new Set(now)
      const gone = [...before].filter(it => !ignored.has(it))
      return { gone, come: now.filter(it => !before.has(it)) }
    },
  }
}
