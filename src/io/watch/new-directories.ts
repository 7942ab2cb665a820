import { dirname } from 'node:path/posix'

/** New directories, for which git is asked whether it ignores them. Many at once are one question. */
export type NewDirectories = {
  /** Asks about a directory and its parents, once for each. */
  ask(directory: string): void
  /** The directory was removed. */
  forget(directory: string): void
  /** Resolves to true when neither the path nor a parent of it is ignored. */
  admit(path: string): Promise<boolean>
  settled(): Promise<void>
}

/** Tracks new directories. `askIgnored` returns those that are ignored. */
export function trackNewDirectories(
  askIgnored: (directories: readonly string[]) => Promise<readonly string[]>,
): NewDirectories {
  const answers = new Map<string, Promise<boolean>>()
  let batch: { readonly directories: string[]; readonly ignored: Promise<ReadonlySet<string>> } | null = null
  const openBatch = () => {
    const directories: string[] = []
    const ignored = new Promise(resolve => setImmediate(resolve)).then(async () => {
      batch = null
      return new Set(await askIgnored(directories).catch(() => []))
    })
    return { directories, ignored }
  }
  return {
    ask(directory) {
      for (const path of pathAndParents(directory).filter(it => !answers.has(it))) {
        batch ??= openBatch()
        batch.directories.push(path)
        const { ignored } = batch
        answers.set(
          path,
          ignored.then(it => !it.has(path)),
        )
      }
    },
    forget: directory => void answers.delete(directory),
    admit: async path =>
      (await Promise.all(pathAndParents(path).map(async it => answers.get(it) ?? true))).every(Boolean),
    async settled() {
      await Promise.all(answers.values())
    },
  }
}

/** A path and its parents, without the root. */
function pathAndParents(path: string): string[] {
  return path === '.' || path === '' ? [] : [path, ...pathAndParents(dirname(path))]
}
