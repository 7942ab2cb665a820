import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWatchThread, type WatchThread } from '../../../src/world/io/watch/directories.ts'
import { type BackendName, watchTree } from '../../../src/world/io/watch/watch-tree.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const FILES = { '.gitignore': 'out\n', 'src/deep/a.ts': 'a\n', 'vendor/b.ts': 'b\n' }

const LIST = 'directories.json'

/** A thread that watches, and is taken over only now. */
async function takenOver({ root }: Pick<Repo, 'root'>, early: WatchThread, wish: BackendName = 'directories') {
  const reported = new Set<string>()
  const watch = await watchTree(
    root,
    {
      globs: ['vendor/**'],
      ignored: Promise.resolve([]),
      fileCount: async () => 0,
      directoriesAdded: async directories => directories.filter(it => it === 'out'),
      changed: path => void reported.add(path),
      directoryRemoved: () => {},
      overflowed: () => {},
      unwatched: () => {},
      failed: () => {},
    },
    { wish, early },
  )
  return { reported, watch }
}

/** Returns when the thread has handled the events of all that happened before. */
async function turnOf({ thread }: WatchThread): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const answered = once(thread, 'message')
    thread.postMessage({ type: 'echo' })
    await answered
  }
}

test('a thread tells whoever takes it over what changed since it began to watch what is tracked', async () => {
  await using repo = await temporaryRepo(FILES)
  await mkdir(join(repo.root, 'new'))
  await repo.write('out/c.ts', 'c\n')
  const early = startWatchThread(repo.root, null)
  await expect.poll(watches).toBe(['', 'src', 'src/deep', 'vendor'].length)
  await repo.write('src/deep/before.ts', 'x\n')
  await turnOf(early)
  const { reported, watch } = await takenOver(repo, early)
  await using _watch = watch
  for (const it of ['src/deep/a.ts', 'src/late/e.ts', 'new/d.ts', 'vendor/b.ts', 'out/c.ts'])
    await repo.write(it, 'written\n')
  await expect
    .poll(() => [...reported].sort())
    .toEqual(['new/d.ts', 'src/deep/a.ts', 'src/deep/before.ts', 'src/late/e.ts'])
})

test('the next thread begins with what the last one watched, without git', async () => {
  await using repo = await temporaryRepo({ ...FILES, '../kept/a': '' })
  await mkdir(join(repo.root, 'new'))
  const kept = join(repo.base, 'kept')
  const { watch } = await takenOver(repo, startWatchThread(repo.root, kept))
  await expect.poll(() => existsSync(join(kept, LIST))).toBe(true)
  await watch[Symbol.asyncDispose]()
  await repo.play('mkdir src/later; rmdir new; mv .git ../git')
  const { thread } = startWatchThread(repo.root, kept)
  await expect.poll(watches).toBe(['', 'src', 'src/deep'].length)
  await thread.terminate()
})

const OLD = join(import.meta.dirname, '../../../src/world/io')
const foldersInOld = () => readdirSync(OLD, { withFileTypes: true, recursive: true }).filter(it => it.isDirectory())

test.each<[string, later: number, watched: () => number]>([
  ['that has not changed since is not read', 0, () => ['', 'files'].length],
  ['that has changed since is read', 1, () => 1 + foldersInOld().length],
])('a directory %s', async (_, later, watched) => {
  await using repo = await temporaryRepo({ ...FILES, '../kept/a': '' })
  const list = [['', statSync(OLD).ctimeMs - later] as const, ['files', null] as const]
  await repo.write(`../kept/${LIST}`, JSON.stringify(list))
  const { watch } = await takenOver({ root: OLD }, startWatchThread(OLD, join(repo.base, 'kept')))
  expect(watches()).toBe(watched())
  await watch[Symbol.asyncDispose]()
})

test('a directory that changed a moment ago is read again: a later change may have the same time', async () => {
  await using repo = await temporaryRepo({ ...FILES, '../kept/a': '' })
  const kept = join(repo.base, 'kept')
  const { watch } = await takenOver(repo, startWatchThread(repo.root, kept))
  await using _watch = watch
  await expect.poll(() => readList(kept)).toEqual(['', 'src', 'src/deep'].map(it => [it, null]))
})

test.each([
  ['is damaged', `printf '[["src",1],["' >${LIST}`],
  ['is of another shape', `echo '{"src": 1}' >${LIST}`],
  ['is a pipe', `mkfifo ${LIST}`],
])('where the list %s, git is asked, and the list is made again', async (_, damage) => {
  await using repo = await temporaryRepo({ ...FILES, '../kept/a': '' })
  await repo.play(`cd ../kept; ${damage}`)
  const kept = join(repo.base, 'kept')
  const { reported, watch } = await takenOver(repo, startWatchThread(repo.root, kept))
  await using _watch = watch
  await repo.write('src/deep/a.ts', 'written\n')
  await expect.poll(() => [...reported]).toEqual(['src/deep/a.ts'])
  await expect.poll(() => readList(kept)?.map(([path]) => path)).toEqual(['', 'src', 'src/deep'])
})

function readList(folder: string): [string, number | null][] | null {
  const path = join(folder, LIST)
  if (!existsSync(path) || !statSync(path).isFile()) return null
  return JSON.parse(readFileSync(path, 'utf8')) as [string, number | null][]
}

/** How many directories the threads of this process watch. */
function watches(): number {
  const infos = readdirSync('/proc/self/fdinfo').flatMap(fd => {
    try {
      return [readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')]
    } catch {
      return []
    }
  })
  return infos.join('').match(/^inotify wd:/gm)?.length ?? 0
}

async function endedThread(repo: Repo): Promise<WatchThread> {
  const early = startWatchThread(repo.root, null)
  await early.thread.terminate()
  return early
}

test.each([
  ['for another worktree', (repo: Repo) => startWatchThread(repo.base, null)],
  ['that has ended', endedThread],
])('a thread %s is not taken over', async (_, start) => {
  await using repo = await temporaryRepo(FILES)
  const { reported, watch } = await takenOver(repo, await start(repo))
  await using _watch = watch
  await repo.write('src/deep/a.ts', 'written\n')
  await expect.poll(() => [...reported]).toEqual(['src/deep/a.ts'])
})

test('a thread ends where another backend is wanted', async () => {
  await using repo = await temporaryRepo(FILES)
  const early = startWatchThread(repo.root, null)
  const ended = once(early.thread, 'exit')
  const { watch } = await takenOver(repo, early, 'polling')
  await using _watch = watch
  await ended
})
