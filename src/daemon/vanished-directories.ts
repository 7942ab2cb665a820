import type { WorktreeState } from '../observation/worktree-state.ts'

/** Collects removed directories, and reports every known path in them. */
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

// `rm -r` removes directories one by one. Many are collected, because each report scans all known paths.
const GATHER_MS = 15

/** True when a path is in one of the directories, at any depth. */
export function isBelowAny(path: string, directories: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    if (directories.has(path.slice(0, slash))) return true
  return false
}
