import { dirname } from 'node:path/posix'

/** Directories that came, about which somebody is asked whether they are ignored; many at once are one question. */
export type NewDirectories = {
  /** A directory is there, and all that are above it; each is asked about once. */
  ask(directory: string): void
  /** It went. */
  forget(directory: string): void
  /** Resolves true when nothing above a path turned out to be ignored. */
  admit(path: string): Promise<boolean>
  settled(): Promise<void>
}

/** `came` answers which directories are ignored. */
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

/** A path and all that is above it, but for the top. */
function pathAndParents(path: string): string[] {
  return path === '.' || path === '' ? [] : [path, ...pathAndParents(dirname(path))]
}
