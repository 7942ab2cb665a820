import { matchesNone } from '../../paths/globs.ts'

/** The paths that a backend ignores. New directories are added, and removed ones are forgotten. */
export type IgnoredPaths = {
  has(path: string): boolean
  add(paths: readonly string[]): void
  forget(path: string): void
  /** Replaces all paths, and returns those that were removed and added by that. */
  replace(paths: readonly string[]): { readonly removed: string[]; readonly added: string[] }
}

/** Ignores git's own files, the paths that git ignores, and the paths that match a glob. */
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
      return { removed: [...before].filter(it => !ignored.has(it)), added: now.filter(it => !before.has(it)) }
    },
  }
}
