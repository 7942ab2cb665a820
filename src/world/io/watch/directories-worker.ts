import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { LIST_INDEX, trackedDirectories } from '../../../core/git/index-entries.ts'
import { partsOf } from '../../../core/base/grouping.ts'
import { systemErrorCode } from '../files/files.ts'
import { readGit } from '../git/run-git.ts'
import { DirectoryTree, type TreeChanges } from './directory-tree.ts'
import { keepWatched, type KnownDirectories, lastWatched } from './known-directories.ts'

/** A message of the watching thread: directories to check, changes, that it started or could not, or an echo. */
export type WatchThreadMessage =
  | { readonly type: 'level'; readonly directories: readonly string[] }
  | { readonly type: 'changes'; readonly changes: TreeChanges }
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly code: string | null; readonly message: string }
  | { readonly type: 'echo' }

/** A request to the watching thread. It answers `echo` after all messages about earlier events. */
export type WatchThreadRequest =
  | { readonly type: 'begin'; readonly globs: readonly string[] }
  | { readonly type: 'level'; readonly ignored: readonly string[] }
  | { readonly type: 'admit'; readonly admitted: readonly string[]; readonly ignored: readonly string[] }
  | { readonly type: 'ignore'; readonly paths: readonly string[] }
  | { readonly type: 'echo' }

const { root, folder } = workerData as { readonly root: string; readonly folder: string | null }
const send = (message: WatchThreadMessage): void => parentPort?.postMessage(message)
const tree = new DirectoryTree(root, {
  onChanges: all => {
    for (const changes of changesInParts(all)) send({ type: 'changes', changes })
  },
  queueLength: eventQueueLength(),
})

let begin = (): void => {}
const begun = new Promise<void>(resolve => (begin = resolve))
let resolveIgnored = (_ignored: readonly string[]): void => {}

parentPort?.on('message', (request: WatchThreadRequest) => {
  if (request.type === 'begin') return (tree.begin(request.globs), begin())
  if (request.type === 'level') return resolveIgnored(request.ignored)
  if (request.type === 'echo') return void setImmediate(() => send({ type: 'echo' }))
  if (request.type === 'ignore') return tree.ignore(request.paths)
  tree.admit(request)
})
void startTree()
setInterval(() => tree.retry(), 10_000).unref()

// The thread may run before it is known whether it is needed: it reports no changes before it is asked to begin.
async function startTree(): Promise<void> {
  try {
    tree.enterKnown((folder === null ? null : lastWatched(folder)) ?? (await tracked()))
    await begun
    await tree.start(askIgnored)
    send({ type: 'ready' })
    if (folder !== null) keepWatched(folder, tree.watched())
  } catch (thrown) {
    // Another backend watches from now on, so this thread sends nothing more.
    parentPort?.removeAllListeners('message')
    send({ type: 'refused', code: systemErrorCode(thrown), message: String(thrown) })
  }
}

async function tracked(): Promise<KnownDirectories> {
  const listed = await readGit(LIST_INDEX, { cwd: root }).catch(() => Buffer.alloc(0))
  return new Map([...trackedDirectories(listed)].map(it => [it, null]))
}

// The main thread asks git: starting a process in this thread takes as long as reading a large tree.
function askIgnored(directories: readonly string[]): Promise<readonly string[]> {
  if (directories.length === 0) return Promise.resolve([])
  return new Promise(resolve => {
    resolveIgnored = resolve
    send({ type: 'level', directories })
  })
}

// The main thread handles a message in one turn of its event loop.
const PATHS_PER_MESSAGE = 2_000

function* changesInParts(all: TreeChanges): Generator<TreeChanges> {
  if (all.directoriesRemoved.length + all.changed.length <= PATHS_PER_MESSAGE) return yield all
  const { unwatched } = all
  const none: TreeChanges = { changed: [], directoriesRemoved: [], directoriesAdded: [], overflowed: false, unwatched }
  const removed = partsOf(all.directoriesRemoved, PATHS_PER_MESSAGE)
  const changed = partsOf(all.changed, PATHS_PER_MESSAGE)
  for (const directoriesRemoved of removed) yield { ...none, directoriesRemoved }
  for (const some of changed) yield { ...none, changed: some }
  yield { ...all, directoriesRemoved: [], changed: [] }
}

function eventQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
