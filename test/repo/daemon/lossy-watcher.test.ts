import { expect, test } from 'vitest'
import { openEyes } from '../../../src/daemon/eyes.ts'
import type { Watch, Watcher } from '../../../src/io/watch/port.ts'
import { freshMemory } from '../../../src/recording/memory.ts'
import { strayPaths } from '../../../src/recording/reconcile.ts'
import { openWorkspace } from '../../../src/workspace/workspace.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

/** Eyes with a watcher that tells only what the test says, and what a worker hears, line by line. */
async function eyesOn(repo: Repo) {
  const workspace = await openWorkspace(repo.root)
  const memory = await freshMemory(workspace)
  const heard: string[] = []
  let wake = (): void => {}
  const compared = new Promise<void>(resolve => (wake = resolve))
  const worker = {
    alone: async <T>(work: () => Promise<T>) => work(),
    heard: (path: string) => void heard.push(`noticed ${path}`),
    indexMoved: async () => {},
    idle: async () => heard.push('waited until all of it was recorded') > 0,
  }
  const reconcile = async (): Promise<void> => {
    heard.push(...(await strayPaths(workspace, memory)).map(it => `missed ${it}`))
    wake()
  }
  const tree: Watch = { ignore: () => {}, settled: async () => {}, [Symbol.asyncDispose]: async () => {} }
  let watcher: Watcher | null = null
  const watch = { backend: 'auto', settle_ms: 20, text_bytes_max: 1, ignored: [] } as const
  const around = {
    workspace,
    memory,
    watch: { ...watch, ignored: [] },
    ignored: Promise.resolve([]),
    failed: () => {},
    reconcile,
  }
  const eyes = await openEyes(worker, around, async (_, it) => ((watcher = it), tree))
  return { eyes, heard, compared, watcher: watcher as Watcher | null }
}

test('what a watcher lost is found when it says that it may have, after what it did tell of is recorded', async () => {
  await using repo = await temporaryRepo({ 'told.ts': 'a\n', 'lost.ts': 'a\n' })
  const { eyes, heard, compared, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  await repo.write('lost.ts', 'written\n')
  watcher?.changed('told.ts')
  expect(heard).toEqual(['noticed told.ts'])
  watcher?.overflowed()
  await compared
  expect(heard).toEqual(['noticed told.ts', 'waited until all of it was recorded', 'missed lost.ts'])
})

test('of a directory that went, every known path is told of, and nothing beside it', async () => {
  await using repo = await temporaryRepo({ 'a/b.ts': '', 'a/c/d.ts': '', 'ab.ts': '', 'a.ts': '', 'b/a/b.ts': '' })
  const { eyes, heard, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  watcher?.vanished('a')
  await eyes.haveSeenAll(1)
  expect(heard.sort()).toEqual(['noticed a/b.ts', 'noticed a/c/d.ts'])
})

test('a directory that comes in place of a file tells of the file, and git says what is ignored', async () => {
  await using repo = await temporaryRepo({ file: '', '.gitignore': 'dist/\nkept/\n', 'kept/a.ts': '' })
  for (const it of ['dist/a.js', 'src/dist/a.js', 'new/a.ts']) await repo.write(it, '')
  const { eyes, heard, watcher } = await eyesOn(repo)
  await using _eyes = eyes
  expect(await watcher?.came([':(bad)', 'file', 'new', 'dist', 'src/dist', 'kept'])).toEqual(['dist', 'src/dist'])
  expect(heard).toEqual(['noticed file'])
})
