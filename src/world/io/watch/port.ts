import { matchesNone } from '../../../core/base/globs.ts'

/** Watches the tree below a directory. Paths are relative to it, with `/`. */
export type TreeWatch = AsyncDisposable & {
  /** Replaces the paths that git ignores: stops watching the new ones, and watches those that are no longer ignored. */
  ignore(paths: readonly string[]): void
  /** Resolves when all new directories are watched. */
  settled(): Promise<void>
}

/** Receives the events of a tree. A backend may report more changes than happened, never fewer. */
export type WatchListener = {
  /** Globs of paths that must not be reported. Ignored directories are never watched. */
  readonly globs: readonly string[]
  /** The paths that git ignores now, as soon as they are known. */
  readonly ignored: Promise<readonly string[]>
  /** The approximate number of files: with many, polling is less frequent. */
  readonly fileCount: () => Promise<number>
  /** Directories were added, perhaps in place of files, or found at the start. Returns those that git ignores. */
  readonly directoriesAdded: (directories: readonly string[]) => Promise<readonly string[]>
  /** A path that is not a directory may have changed. By polling it is reported late. */
  readonly changed: (path: string, isPolled?: boolean) => void
  /** A directory was removed, with its content. */
  readonly directoryRemoved: (directory: string) => void
  /** Events may be lost: the worktree has to be compared with its known state. */
  readonly overflowed: () => void
  /** The number of directories that can't be watched now, and the system's code; 0 when all are watched again. */
  readonly unwatched: (directories: number, code: string) => void
  readonly failed: (reason: Error) => void
}

/** Starts to watch; resolves when the whole tree is watched. */
export type WatchBackend = (root: string, listener: WatchListener) => Promise<TreeWatch>

/** True for the system's error codes that mean that watches, open files or memory are exhausted. */
export function isWatchLimit(code: string | null): code is string {
  return code !== null && code in FIXES
}

/** The command that raises the limit. */
export function watchLimitFix(code: string): string {
  return FIXES[code] ?? FIXES['ENOSPC'] ?? ''
}

const FIXES: Readonly<Record<string, string>> = {
  ENOSPC: 'sudo sysctl fs.inotify.max_user_watches=1048576',
  EMFILE: 'sudo sysctl fs.inotify.max_user_instances=1024',
  ENFILE: 'sudo sysctl fs.file-max=2097152',
  ENOMEM: 'sudo sysctl fs.inotify.max_user_watches=1048576',
}

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
