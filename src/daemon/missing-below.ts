import type { Memory } from '../recording/memory.ts'

/** Directories that went: every path in them that is known is told of, for many directories at once. */
export function missingBelow(memory: Memory, tell: (path: string) => void) {
  const gone = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const tellAll = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    const paths = [...gone].flatMap(it => memory.index.below(it))
    const known = [...memory.known.keys()].filter(it => isBelow(it, gone))
    gone.clear()
    for (const path of new Set([...paths, ...known])) tell(path)
  }
  return {
    add(directory: string): void {
      gone.add(directory)
      timer ??= setTimeout(tellAll, GATHER_MS)
    },
    tell: tellAll,
  }
}

// `rm -r` takes directories away one by one, and much may be known.
const GATHER_MS = 15

/** True when a path lies in one of some directories, at whatever depth. */
export function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    if (directories.has(path.slice(0, slash))) return true
  return false
}
