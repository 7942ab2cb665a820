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
