import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GitIndex } from '../../../src/git/index-entries.ts'
import { startWatchThread, type WatchThread } from '../../../src/io/watch/directories.ts'
import { type BackendName, watchTree } from '../../../src/io/watch/watch-tree.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const FILES = { '.gitignore': 'out\n', 'src/deep/a.ts': 'a\n', 'vendor/b.ts': 'b\n' }

/** A thread that watches, and is taken over only now. */
async function takenOver(repo: Repo, early: WatchThread, wish: BackendName = 'directories') {
  const told = new Set<string>()
  const watch = await watchTree(
    repo.root,
    {
      globs: ['vendor/**'],
      ignored: Promise.resolve([]),
      fileCount: async () => 0,
      directoriesAdded: async directories => directories.filter(it => it === 'out'),
      changed: path => void told.add(path),
      directoryRemoved: () => {},
      overflowed: () => {},
      unwatched: () => {},
      failed: () => {},
    },
    { wish, early },
  )
  return { told, watch }
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
  const early = startWatchThread(repo.root)
  const index = new GitIndex((await early.index) ?? Buffer.alloc(0))
  expect(index.size).toBe(3)
  // The thread hands over the index in the turn in which it enters the tracked directories.
  await turnOf(early)
  await repo.write('src/deep/before.ts', 'x\n')
  await turnOf(early)
  const { told, watch } = await takenOver(repo, early)
  await using _watch = watch
  for (const it of ['src/deep/a.ts', 'src/late/e.ts', 'new/d.ts', 'vendor/b.ts', 'out/c.ts'])
    await repo.write(it, 'written\n')
  await expect
    .poll(() => [...told].sort())
    .toEqual(['new/d.ts', 'src/deep/a.ts', 'src/deep/before.ts', 'src/late/e.ts'])
})

async function endedThread(repo: Repo): Promise<WatchThread> {
  const early = startWatchThread(repo.root)
  await early.thread.terminate()
  return early
}

test.each([
  ['for another worktree', (repo: Repo) => startWatchThread(repo.base)],
  ['that has ended', endedThread],
])('a thread %s is not taken over', async (_, start) => {
  await using repo = await temporaryRepo(FILES)
  const { told, watch } = await takenOver(repo, await start(repo))
  await using _watch = watch
  await repo.write('src/deep/a.ts', 'written\n')
  await expect.poll(() => [...told]).toEqual(['src/deep/a.ts'])
})

test('a thread ends where another backend is wanted, and nobody waits for its list of the index', async () => {
  await using repo = await temporaryRepo(FILES)
  const early = startWatchThread(repo.root)
  const ended = once(early.thread, 'exit')
  const { watch } = await takenOver(repo, early, 'polling')
  await using _watch = watch
  await ended
  await expect(Promise.race([early.index, Promise.resolve('it is never known')])).resolves.not.toBe('it is never known')
})
