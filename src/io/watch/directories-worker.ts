import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '../files.ts'
import { DirectoryTree, type Turn } from './directory-tree.ts'
import { ignoringOf } from './ignored.ts'

/** What the thread that watches says: a turn, directories it would enter, that it began or could not, or an echo. */
export type FromWorker =
  | { readonly say: 'level'; readonly directories: readonly string[] }
  | { readonly say: 'turn'; readonly turn: Turn }
  | { readonly say: 'ready' }
  | { readonly say: 'refused'; readonly code: string | null; readonly message: string }
  | { readonly say: 'echo' }

/** What it is told; it answers an echo when it has said everything that it knew before. */
export type ToWorker =
  | { readonly ask: 'level'; readonly ignored: readonly string[] }
  | { readonly ask: 'admit'; readonly admitted: readonly string[]; readonly ignored: readonly string[] }
  | { readonly ask: 'ignore'; readonly paths: readonly string[] }
  | { readonly ask: 'echo' }

const { root, globs } = workerData as { readonly root: string; readonly globs: readonly string[] }
const say = (word: FromWorker): void => parentPort?.postMessage(word)
const ignoring = ignoringOf(globs)
const tree = new DirectoryTree(root, { ignoring, tell: turn => say({ say: 'turn', turn }), queueLength: queueLength() })

let answer = (_ignored: readonly string[]): void => {}

parentPort?.on('message', (word: ToWorker) => {
  if (word.ask === 'level') return answer(word.ignored)
  if (word.ask === 'echo') return void setImmediate(() => say({ say: 'echo' }))
  if (word.ask === 'ignore') return tree.ignore(word.paths)
  tree.admit(word)
})
void start()
setInterval(() => tree.retry(), 10_000).unref()

async function start(): Promise<void> {
  try {
    await tree.start(ignoredAmong)
    say({ say: 'ready' })
  } catch (thrown) {
    // Somebody else watches then: nothing more is to be told.
    parentPort?.removeAllListeners('message')
    say({ say: 'refused', code: codeOf(thrown), message: String(thrown) })
  }
}

// To have a thread start a process would take it as long as to read a large tree.
function ignoredAmong(directories: readonly string[]): Promise<readonly string[]> {
  if (directories.length === 0) return Promise.resolve([])
  return new Promise(resolve => {
    answer = resolve
    say({ say: 'level', directories })
  })
}

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
