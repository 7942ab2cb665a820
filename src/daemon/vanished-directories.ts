import type { WorktreeState } from '../observation/worktree-state.ts'

/** Directories that went: every path in them that is known is told of, for many directories at once. */
export function vanishedDirectories(state: WorktreeState, report: (path: string) => void) {
  const directories = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const reportAll = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    const paths = [...directories].flatMap(it => state.index.pathsBelow(it))
    const known = [...state.paths.keys()].filter(it => isBelowAny(it, directories))
    directories.clear()
    for (const path of new Set([...paths, ...known])) report(path)
  }
  return {
    add(directory: string): void {
      directories.add(directory)
      timer ??= setTimeout(reportAll, GATHER_MS)
    },
    flush: reportAll,
  }
}

// `rm -r` takes directories away one by one, and much may be known.
const GATHER_MS = 15

/** True when a path lies in one of some directories, at whatever depth. */
export function isBelowAny(path: string, directories: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    if (directories.has(path.slice(0, slash))) return true
  return false
}
