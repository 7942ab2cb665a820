import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '../files.ts'
import { DirectoryTree, type Turn } from './directory-tree.ts'
import { ignoringOf } from './ignored.ts'
import type { Ignored } from './port.ts'

/** What the thread that watches says: a turn, that it began, that it could not, or an echo. */
export type FromWorker =
  | { readonly say: 'turn'; readonly turn: Turn }
  | { readonly say: 'ready' }
  | { readonly say: 'refused'; readonly code: string | null; readonly message: string }
  | { readonly say: 'echo' }

/** What it is told, after what is ignored; it answers an echo when it has said everything that it knew before. */
export type ToWorker =
  | { readonly ask: 'admit'; readonly admitted: readonly string[]; readonly ignored: readonly string[] }
  | { readonly ask: 'ignore'; readonly paths: readonly string[] }
  | { readonly ask: 'echo' }

const { root } = workerData as { readonly root: string }
const say = (word: FromWorker): void => parentPort?.postMessage(word)

parentPort?.once('message', (ignored: Ignored) => {
  const ignoring = ignoringOf(ignored)
  const tree = new DirectoryTree(root, {
    ignoring,
    tell: turn => say({ say: 'turn', turn }),
    queueLength: queueLength(),
  })
  parentPort?.on('message', (word: ToWorker) => {
    if (word.ask === 'echo') return void setImmediate(() => say({ say: 'echo' }))
    if (word.ask === 'ignore') return tree.ignore(word.paths)
    ignoring.add(word.ignored)
    tree.admit(word.admitted)
  })
  start(tree)
  setInterval(() => tree.retry(), 10_000).unref()
})

function start(tree: DirectoryTree): void {
  try {
    tree.start()
    say({ say: 'ready' })
  } catch (thrown) {
    say({ say: 'refused', code: codeOf(thrown), message: String(thrown) })
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
