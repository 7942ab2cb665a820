import { Worker } from 'node:worker_threads'
import { packageFile } from '../files/package.ts'
import type { WatchThreadMessage, WatchThreadRequest } from './directories-worker.ts'
import type { TreeChanges } from './directory-tree.ts'
import type { TreeWatch, WatchListener } from './port.ts'

/** Watches through one `fs.watch` a directory, in a thread of its own, so that nothing else keeps events waiting. */
export async function watchDirectories(root: string, listener: WatchListener): Promise<TreeWatch> {
  const thread = new Worker(WORKER_PROGRAM, { workerData: { root, globs: listener.globs } })
  const ask = (word: WatchThreadRequest): void => thread.postMessage(word)
  const ignoredIn = (directories: readonly string[]) => listener.directoriesAdded(directories).catch(() => [])
  const pendingQuestions = new Set<Promise<void>>()
  const echoes: (() => void)[] = []
  const askAbout = async (came: readonly string[]): Promise<void> => {
    const ignored = await listener.directoriesAdded(came)
    ask({ ask: 'admit', admitted: came.filter(it => !ignored.includes(it)), ignored })
  }
  const listen = (word: WatchThreadMessage): void => {
    if (word.say === 'level') void ignoredIn(word.directories).then(ignored => ask({ ask: 'level', ignored }))
    if (word.say === 'echo') echoes.shift()?.()
    if (word.say !== 'turn') return
    deliverChanges(word.turn, listener)
    if (word.turn.directoriesAdded.length === 0) return
    const asked = askAbout(word.turn.directoriesAdded).catch(listener.failed)
    pendingQuestions.add(asked)
    void asked.finally(() => pendingQuestions.delete(asked))
  }
  const begin = listener.ignored.then(ignored => ask({ ask: 'admit', admitted: [], ignored }))
  await Promise.all([whenStarted(thread, listen), begin]).catch(async (thrown: unknown) => {
    await thread.terminate()
    throw thrown
  })
  thread.on('error', listener.failed)
  return {
    ignore: paths => ask({ ask: 'ignore', paths }),
    async settled() {
      do {
        await Promise.all(pendingQuestions)
        await new Promise<void>(resolve => {
          echoes.push(resolve)
          ask({ ask: 'echo' })
        })
      } while (pendingQuestions.size > 0)
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}

// As it is built, also for a caller that was not.
const WORKER_PROGRAM = packageFile('dist/directories-worker.cjs')

function whenStarted(thread: Worker, listen: (word: WatchThreadMessage) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.on('message', (word: WatchThreadMessage) => {
      if (word.say === 'ready') resolve()
      else if (word.say === 'refused') reject(Object.assign(new Error(word.message), { code: word.code }))
      else listen(word)
    })
  })
}

function deliverChanges(
  { changed, directoriesRemoved: vanished, overflowed, unwatched: blind }: TreeChanges,
  listener: WatchListener,
): void {
  for (const path of vanished) listener.directoryRemoved(path)
  for (const path of changed) listener.changed(path)
  if (overflowed) listener.overflowed()
  listener.unwatched(blind.directories, blind.code)
}
