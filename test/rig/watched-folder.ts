import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackendName, watchTree } from '../../src/world/io/watch/watch-tree.ts'
import type { TreeWatch, WatchListener } from '../../src/world/io/watch/port.ts'

/** A folder, a backend that watches it, and a consumer that reads a file as soon as it is told of it. */
export type WatchedFolder = AsyncDisposable & {
  readonly root: string
  /** Begins to watch what stands in the folder now. */
  watch(): Promise<void>
  /** Resolves when the last content of every path that changed since has been told of; rejected when it never is. */
  allReported(except?: (path: string) => boolean): Promise<void>
  /** Other paths are ignored now; resolves when the backend has taken that in. */
  ignore(paths: readonly string[]): Promise<void>
  /** Every path that an event told of. */
  readonly events: ReadonlySet<string>
  readonly problems: readonly string[]
  /** How often the backend had to say that it may have missed something; the consumer looks at all of it then. */
  overflows(): number
}

type IgnoreOptions = {
  readonly ignored?: { readonly paths: readonly string[]; readonly globs: readonly string[] }
  /** Directories that are ignored although they come later. */
  readonly ignoredLater?: readonly string[]
}

const REPORT_MS_MAX = 20_000

/** Nothing is watched before `watch` is called. */
export function watchedFolder(backend: BackendName, wish: IgnoreOptions = {}): WatchedFolder {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'w-'))
  const problems: string[] = []
  const consumer = consumerIn(root)
  let watch: TreeWatch | null = null
  return {
    root,
    problems,
    events: consumer.events,
    overflows: () => consumer.overflows,
    allReported: consumer.everything,
    async watch() {
      consumer.begin()
      watch = await watchTree(root, listenerOf(consumer, problems, wish), { wish: backend, early: null })
    },
    async ignore(paths) {
      watch?.ignore(paths)
      await watch?.settled()
    },
    async [Symbol.asyncDispose]() {
      await watch?.[Symbol.asyncDispose]()
      await rm(root, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function listenerOf(
  consumer: Consumer,
  problems: string[],
  { ignored = IGNORE_NOTHING, ignoredLater = [] }: IgnoreOptions,
): WatchListener {
  return {
    globs: ignored.globs,
    ignored: Promise.resolve(ignored.paths),
    fileCount: async () => 0,
    changed: consumer.changed,
    directoriesAdded: async directories => {
      directories.forEach(consumer.look)
      return directories.filter(it => ignoredLater.includes(it))
    },
    directoryRemoved: consumer.vanished,
    overflowed: consumer.overflowed,
    unwatched: () => {},
    failed: reason => void problems.push(reason.message),
  }
}

const IGNORE_NOTHING = { paths: [], globs: [] }

type Consumer = ReturnType<typeof consumerIn>

/** Reads whatever it is told of, at once, and everything when something may have been missed. */
function consumerIn(root: string) {
  let before = new Map<string, string>()
  let wake = (): void => {}
  const [seen, gone] = [new Map<string, string | null>(), new Set<string>()]
  const consumer = {
    overflows: 0,
    events: new Set<string>(),
    begin: () => void (before = contentsIn(root)),
    look(path: string): void {
      seen.set(path, contentOf(join(root, path)))
      wake()
    },
    changed(path: string): void {
      consumer.events.add(path)
      consumer.look(path)
    },
    vanished(directory: string): void {
      gone.add(directory)
      wake()
    },
    overflowed(): void {
      consumer.overflows++
      for (const path of new Set([...before.keys(), ...contentsIn(root).keys()])) consumer.look(path)
    },
    everything(except: (path: string) => boolean = () => false): Promise<void> {
      const now = contentsIn(root)
      const isReported = (path: string): boolean =>
        seen.get(path) === (now.get(path) ?? null) || (!now.has(path) && isBelow(path, gone))
      const paths = [...new Set([...before.keys(), ...now.keys()])].filter(it => !except(it))
      const missing = new Set(paths.filter(it => before.get(it) !== now.get(it)))
      return whenEmpty(missing, look => {
        wake = () => {
          for (const path of missing) if (isReported(path)) missing.delete(path)
          look()
        }
        wake()
      })
    },
  }
  return consumer
}

/** Resolves when a set is empty; `begin` is handed what to call when something was taken out. */
function whenEmpty(missing: ReadonlySet<string>, begin: (look: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`never told of:\n${[...missing].join('\n')}`)), REPORT_MS_MAX)
    begin(() => {
      if (missing.size > 0) return
      clearTimeout(late)
      resolve()
    })
  })
}

function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  return [...directories].some(it => path.startsWith(`${it}/`))
}

/** Every file and symlink of a tree, with its content. */
function contentsIn(root: string, folder = ''): Map<string, string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const path = join(folder, entry.name)
      // A name that is not UTF-8 is nobody's: nothing is found under what Node makes of it.
      if (path.includes('\ufffd')) return []
      if (entry.isDirectory()) return [...contentsIn(root, path)]
      const content = contentOf(join(root, path))
      return content === null ? [] : [[path, content]]
    }),
  )
}

function contentOf(absolute: string): string | null {
  try {
    const stat = lstatSync(absolute)
    if (stat.isSymbolicLink()) return `-> ${readlinkSync(absolute)}`
    return stat.isFile() ? readFileSync(absolute, 'utf8') : null
  } catch {
    return null
  }
}
