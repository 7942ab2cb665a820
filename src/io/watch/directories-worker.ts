import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { systemErrorCode } from '../files/files.ts'
import { DirectoryTree, type TreeChanges } from './directory-tree.ts'
import { ignoredPathsOf } from './ignored-paths.ts'

/** What the thread that watches says: a turn, directories it would enter, that it began or could not, or an echo. */
export type WatchThreadMessage =
  | { readonly say: 'level'; readonly directories: readonly string[] }
  | { readonly say: 'turn'; readonly turn: TreeChanges }
  | { readonly say: 'ready' }
  | { readonly say: 'refused'; readonly code: string | null; readonly message: string }
  | { readonly say: 'echo' }

/** What it is told; it answers an echo when it has said everything that it knew before. */
export type WatchThreadRequest =
  | { readonly ask: 'level'; readonly ignored: readonly string[] }
  | { readonly ask: 'admit'; readonly admitted: readonly string[]; readonly ignored: readonly string[] }
  | { readonly ask: 'ignore'; readonly paths: readonly string[] }
  | { readonly ask: 'echo' }

const { root, globs } = workerData as { readonly root: string; readonly globs: readonly string[] }
const send = (word: WatchThreadMessage): void => parentPort?.postMessage(word)
const ignoring = ignoredPathsOf(globs)
const tree = new DirectoryTree(root, {
  ignoring,
  onChanges: turn => send({ say: 'turn', turn }),
  queueLength: eventQueueLength(),
})

let resolveIgnored = (_ignored: readonly string[]): void => {}

parentPort?.on('message', (word: WatchThreadRequest) => {
  if (word.ask === 'level') return resolveIgnored(word.ignored)
  if (word.ask === 'echo') return void setImmediate(() => send({ say: 'echo' }))
  if (word.ask === 'ignore') return tree.ignore(word.paths)
  tree.admit(word)
})
void startTree()
setInterval(() => tree.retry(), 10_000).unref()

async function startTree(): Promise<void> {
  try {
    await tree.start(askIgnored)
    send({ say: 'ready' })
  } catch (thrown) {
    // Somebody else watches then: nothing more is to be told.
    parentPort?.removeAllListeners('message')
    send({ say: 'refused', code: systemErrorCode(thrown), message: String(thrown) })
  }
}

// To have a thread start a process would take it as long as to read a large tree.
function askIgnored(directories: readonly string[]): Promise<readonly string[]> {
  if (directories.length === 0) return Promise.resolve([])
  return new Promise(resolve => {
    resolveIgnored = resolve
    send({ say: 'level', directories })
  })
}

function eventQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
