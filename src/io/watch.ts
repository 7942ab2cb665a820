import { KotefError } from '../report/failure.ts'
import { codeOf } from './files.ts'
import { watchByEvents, watchByPolling } from './watch/chokidar.ts'
import { watchDirectories } from './watch/directories.ts'
import { silentDiskAt } from './watch/disk-kind.ts'
import { fixFor, isExhausted } from './watch/exhausted.ts'
import type { Backend, Watch, Watcher } from './watch/port.ts'

const BACKENDS = { chokidar: watchByEvents, directories: watchDirectories, polling: watchByPolling } as const

export type BackendName = keyof typeof BACKENDS

/** Watches a directory in the way that is wished for; what can't be watched so is told once, and watched otherwise. */
export async function watchTree(root: string, watcher: Watcher, wish: BackendName | 'auto' = 'auto'): Promise<Watch> {
  const { name, why } = choice(wish, { platform: process.platform, silentDisk: await silentDiskAt(root) })
  if (why !== null) watcher.failed(limited(why))
  const backend: Backend = BACKENDS[name]
  const careful = { ...watcher, blind: tellingOnce(watcher) }
  try {
    return await backend(root, careful)
  } catch (thrown) {
    const code = codeOf(thrown)
    if (!isExhausted(code)) throw thrown
    watcher.failed(limited(`The system gives kotef no watch (${code}), so it polls.`, fixFor(code)))
    return watchByPolling(root, watcher)
  }
}

type Around = { readonly platform: NodeJS.Platform; readonly silentDisk: string | null }

/** Which backend serves a wish, and what there is to say about it. */
export function choice(
  wish: BackendName | 'auto',
  { platform, silentDisk }: Around,
): { readonly name: BackendName; readonly why: string | null } {
  const onLinux = platform === 'linux'
  if (wish === 'directories' && !onLinux)
    return {
      name: 'chokidar',
      why: '`watch.backend: directories` works on Linux alone: chokidar watches in its place.',
    }
  if (wish !== 'auto') return { name: wish, why: null }
  if (!onLinux) return { name: 'chokidar', why: null }
  if (silentDisk === null) return { name: 'directories', why: null }
  const why =
    `The worktree lies on ${silentDisk}, which does not tell what others write there: kotef polls, which takes time. ` +
    'If all is written on this machine, put `watch: { backend: directories }` into .orchestration/config.yaml'
  return { name: 'polling', why }
}

function tellingOnce(watcher: Watcher): Watcher['blind'] {
  let told = false
  return (directories, code) => {
    if (directories > 0 && !told) watcher.failed(limited(partly(directories, code), fixFor(code)))
    told = directories > 0
    watcher.blind(directories, code)
  }
}

function partly(directories: number, code: string): string {
  return `${directories} directories can't be watched (${code}): every few seconds git is asked what was written there.`
}

function limited(message: string, fix?: string): KotefError {
  if (fix === undefined) return new KotefError('watch-limited', message)
  return new KotefError('watch-limited', `${message} More: ${fix}`, { hint: fix })
}
