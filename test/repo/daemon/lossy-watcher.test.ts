import { expect, test } from 'vitest'
import { openChangeFeed } from '../../../src/shells/daemon/change-feed.ts'
import type { TreeWatch, WatchListener } from '../../../src/world/io/watch/port.ts'
import { freshState } from '../../../src/world/recording/observation/worktree-state.ts'
import { divergentPaths } from '../../../src/world/recording/observation/reconcile.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

/** Eyes with a watcher that tells only what the test says, and what a worker hears, line by line. */
async function eyesOn(repo: Repo) {
  const workspace = await openWorkspace(repo.root)
  const memory = await freshState(workspace)
  const received: string[] = []
  let wake = (): void => {}
  const compared = new Promise<void>(resolve => (wake = resolve))
  const worker = {
    runExclusive: async <T>(work: () => Promise<T>) => work(),
    pathChanged: (path: string) => void received.push(`noticed ${path}`),
    gitDirChanged: async () => {},
    followSettings: async () => {},
    whenRecorded: async () => received.push('waited until all of it was recorded') > 0,
  }
  const reconcile = async (): Promise<void> => {
    received.push(...(await divergentPaths(workspace, memory)).map(it => `missed ${it}`))
    wake()
  }
  const tree: TreeWatch = { ignore: () => {}, settled: async () => {}, [Symbol.asyncDispose]: async () => {} }
  let watcher: WatchListener | null = null
  const watch = { backend: 'auto', settle_ms: 20, text_bytes_max: 1, ignored: [], autostart: false } as const
  const around = {
    workspace,
    state: memory,
    watch: { ...watch, ignored: [] },
    watchThread: null,
    ignored: Promise.resolve([]),
    failed: () => {},
    reconcile,
  }
  const eyes = await openChangeFeed(worker, around, async (_, it) => ((watcher = it), tree))
  return { eyes, received, compared, watcher: watcher as WatchListener | null }
}

test('what a watcher lost is found when it says that it may have, after what it did tell of is recorded', async () => {
  await using repo = await temporaryRepo({ 'told.ts': 'a\n', 'lost.ts': 'a\n' })
  const { eyes, received, compared, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  await repo.write('lost.ts', 'written\n')
  watcher?.changed('told.ts')
  expect(received).toEqual(['noticed told.ts'])
  watcher?.overflowed()
  await compared
  expect(received).toEqual(['noticed told.ts', 'waited until all of it was recorded', 'missed lost.ts'])
})

test('of a directory that went, every known path is told of, and nothing beside it', async () => {
  await using repo = await temporaryRepo({ 'a/b.ts': '', 'a/c/d.ts': '', 'ab.ts': '', 'a.ts': '', 'b/a/b.ts': '' })
  const { eyes, received, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  watcher?.directoryRemoved('a')
  await eyes.drain(1)
  expect(received.sort()).toEqual(['noticed a/b.ts', 'noticed a/c/d.ts'])
})

test('a directory that comes in place of a file tells of the file, and git says what is ignored', async () => {
  await using repo = await temporaryRepo({ file: '', '.gitignore': 'dist/\nkept/\n', 'kept/a.ts': '' })
  for (const it of ['dist/a.js', 'src/dist/a.js', 'new/a.ts']) await repo.write(it, '')
  const { eyes, received, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  expect(await watcher?.directoriesAdded([':(bad)', 'file', 'new', 'dist', 'src/dist', 'kept'])).toEqual([
    'dist',
    'src/dist',
  ])
  expect(received).toEqual(['noticed file'])
})
