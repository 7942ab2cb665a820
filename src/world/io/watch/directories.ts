import { Worker } from 'node:worker_threads'
import { packageFile } from '../files/package.ts'
import type { WatchThreadMessage, WatchThreadRequest } from './directories-worker.ts'
import type { TreeChanges } from './directory-tree.ts'
import type { TreeWatch, WatchListener } from './port.ts'

/** A thread that watches what is tracked in a worktree, and reports nothing until a listener has taken it over. */
export type WatchThread = {
  readonly root: string
  readonly thread: Worker
}

/**
 * Starts such a thread. Until it is taken over it keeps no process alive, and its failure is none. In `folder` the
 * thread keeps the names of the directories that it watches; null for no such folder.
 */
export function startWatchThread(root: string, folder: string | null): WatchThread {
  const thread = new Worker(WORKER_PROGRAM, { workerData: { root, folder } })
  thread.on('error', () => {}).unref()
  return { root, thread }
}

/** Watches each directory by `fs.watch`, in a thread of its own: there no other work delays the events. */
export async function watchDirectories(
  root: string,
  listener: WatchListener,
  early: WatchThread | null,
): Promise<TreeWatch> {
  const { thread } =
    early && early.root === root && early.thread.threadId !== ENDED ? early : startWatchThread(root, null)
  thread.ref()
  const ask = (request: WatchThreadRequest): void => thread.postMessage(request)
  const ignoredIn = (directories: readonly string[]) => listener.directoriesAdded(directories).catch(() => [])
  const pendingQuestions = new Set<Promise<void>>()
  const echoes: (() => void)[] = []
  const askAbout = async (added: readonly string[]): Promise<void> => {
    const ignored = await listener.directoriesAdded(added)
    ask({ type: 'admit', admitted: added.filter(it => !ignored.includes(it)), ignored })
  }
  const onMessage = (message: WatchThreadMessage): void => {
    if (message.type === 'level') void ignoredIn(message.directories).then(ignored => ask({ type: 'level', ignored }))
    if (message.type === 'echo') echoes.shift()?.()
    if (message.type !== 'changes') return
    const { directoriesAdded } = message.changes
    deliverChanges(message.changes, listener)
    if (directoriesAdded.length === 0) return
    const asked = askAbout(directoriesAdded).catch(listener.failed)
    pendingQuestions.add(asked)
    void asked.finally(() => pendingQuestions.delete(asked))
  }
  ask({ type: 'begin', globs: listener.globs })
  const begin = listener.ignored.then(ignored => ask({ type: 'admit', admitted: [], ignored }))
  await Promise.all([whenStarted(thread, onMessage), begin]).catch(async (thrown: unknown) => {
    await thread.terminate()
    throw thrown
  })
  thread.on('error', listener.failed)
  return {
    ignore: paths => ask({ type: 'ignore', paths }),
    async settled() {
      do {
        await Promise.all(pendingQuestions)
        await new Promise<void>(resolve => {
          echoes.push(resolve)
          ask({ type: 'echo' })
        })
      } while (pendingQuestions.size > 0)
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}

// The built program, also when the caller runs from source.
const WORKER_PROGRAM = packageFile('dist/directories-worker.cjs')

// What Node says of a thread that has ended.
const ENDED = -1

function whenStarted(thread: Worker, onMessage: (message: WatchThreadMessage) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    const receive = (message: WatchThreadMessage): void => {
      if (message.type === 'ready') resolve()
      else if (message.type === 'refused') reject(Object.assign(new Error(message.message), { code: message.code }))
      else onMessage(message)
    }
    thread.on('message', oneATurn(receive))
  })
}

// A burst comes in many messages, which Node would hand over in one turn of the event loop.
function oneATurn<T>(handle: (item: T) => void): (item: T) => void {
  const waiting: T[] = []
  let isBusy = false
  const handleNext = (): void => {
    const item = waiting.shift()
    isBusy = item !== undefined
    if (item === undefined) return
    setImmediate(handleNext)
    handle(item)
  }
  return item => {
    waiting.push(item)
    if (!isBusy) handleNext()
  }
}

function deliverChanges(
  { changed, directoriesRemoved, overflowed, unwatched }: TreeChanges,
  listener: WatchListener,
): void {
  for (const path of directoriesRemoved) listener.directoryRemoved(path)
  for (const path of changed) listener.changed(path)
  if (overflowed) listener.overflowed()
  listener.unwatched(unwatched.directories, unwatched.code)
}
