/** Watches the tree below a directory. Paths are relative to it, with `/`. */
export type TreeWatch = AsyncDisposable & {
  /** Puts what git ignores in place of what it ignored: the one is left, the other entered. */
  ignore(paths: readonly string[]): void
  /** Resolves when no directory that came waits to be entered any more. */
  settled(): Promise<void>
}

/** Whoever wants to know what happens in a tree. A backend may tell of more than happened, never of less. */
export type WatchListener = {
  /** What must not be told of. Directories that are ignored are never entered. */
  readonly globs: readonly string[]
  /** The paths that git ignores now, as soon as they are known. */
  readonly ignored: Promise<readonly string[]>
  /** About how many files there are: who looks at each of them again and again does it less often. */
  readonly fileCount: () => Promise<number>
  /** Directories came, perhaps in place of files, or are found at the start; answers those that git ignores. */
  readonly directoriesAdded: (directories: readonly string[]) => Promise<readonly string[]>
  /** Whatever stands at a path, it is not a directory. Who polls tells of it late. */
  readonly changed: (path: string, isPolled?: boolean) => void
  /** A directory went, with all that was in it. */
  readonly directoryRemoved: (directory: string) => void
  /** Something may have been missed: what stands there has to be compared with what is known. */
  readonly overflowed: () => void
  /** So many directories can't be watched for now, by the system's code; with none left, all is well again. */
  readonly unwatched: (directories: number, code: string) => void
  readonly failed: (reason: Error) => void
}

/** Starts to watch; resolves when everything that stands there now is being watched. */
export type WatchBackend = (root: string, watcher: WatchListener) => Promise<TreeWatch>
