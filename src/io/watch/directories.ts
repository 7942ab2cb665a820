import { Worker } from 'node:worker_threads'
import { packageFile } from '../../package.ts'
import type { FromWorker, ToWorker } from './directories-worker.ts'
import type { Turn } from './directory-tree.ts'
import type { Watch, Watcher } from './port.ts'

/** Watches through one `fs.watch` a directory, in a thread of its own, so that nothing else keeps events waiting. */
export async function watchDirectories(root: string, watcher: Watcher): Promise<Watch> {
  const thread = new Worker(THREAD, { workerData: { root, globs: watcher.globs } })
  const ask = (word: ToWorker): void => thread.postMessage(word)
  const among = (directories: readonly string[]) => watcher.came(directories).catch(() => [])
  const asking = new Set<Promise<void>>()
  const echoes: (() => void)[] = []
  const askAbout = async (came: readonly string[]): Promise<void> => {
    const ignored = await watcher.came(came)
    ask({ ask: 'admit', admitted: came.filter(it => !ignored.includes(it)), ignored })
  }
  const listen = (word: FromWorker): void => {
    if (word.say === 'level') void among(word.directories).then(ignored => ask({ ask: 'level', ignored }))
    if (word.say === 'echo') echoes.shift()?.()
    if (word.say !== 'turn') return
    hand(word.turn, watcher)
    if (word.turn.came.length === 0) return
    const asked = askAbout(word.turn.came).catch(watcher.failed)
    asking.add(asked)
    void asked.finally(() => asking.delete(asked))
  }
  const begin = watcher.ignored.then(ignored => ask({ ask: 'admit', admitted: [], ignored }))
  await Promise.all([begun(thread, listen), begin]).catch(async (thrown: unknown) => {
    await thread.terminate()
    throw thrown
  })
  thread.on('error', watcher.failed)
  return {
    ignore: paths => ask({ ask: 'ignore', paths }),
    async settled() {
      do {
        await Promise.all(asking)
        await new Promise<void>(resolve => {
          echoes.push(resolve)
          ask({ ask: 'echo' })
        })
      } while (asking.size > 0)
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}

// As it is built, also for a caller that was not.
const THREAD = packageFile('dist/directories-worker.cjs')

function begun(thread: Worker, listen: (word: FromWorker) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.on('message', (word: FromWorker) => {
      if (word.say === 'ready') resolve()
      else if (word.say === 'refused') reject(Object.assign(new Error(word.message), { code: word.code }))
      else listen(word)
    })
  })
}

function hand({ changed, vanished, overflowed, blind }: Turn, watcher: Watcher): void {
  for (const path of vanished) watcher.vanished(path)
  for (const path of changed) watcher.changed(path)
  if (overflowed) watcher.overflowed()
  watcher.blind(blind.directories, blind.code)
}
