import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { temporaryRepo } from '../rig/repo.ts'

const WRITES = {
  put: (path: string) => disk.put(path, 'x'),
  replace: (path: string) => disk.replace(path, 'x'),
  privateFolder: (path: string) => disk.privateFolder(path),
}

test.each(Object.entries(WRITES))('%s makes no folder that was removed or moved away', async (_, write) => {
  await using repo = await temporaryRepo({ a: '' })
  for (const gone of [
    'gone/.git/kotef/x',
    'gone/.git/kotef/map/x',
    'gone/.git/worktrees/w/kotef/x',
    'gone/.sdd/cache/x',
  ])
    await expect(write(join(repo.root, gone))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(existsSync(join(repo.root, 'gone'))).toBe(false)
})

test.each(Object.entries(WRITES))('%s makes the folders that belong to kotef', async (_, write) => {
  await using repo = await temporaryRepo({ a: '' })
  await mkdir(join(repo.root, '.git/worktrees/w'), { recursive: true })
  for (const path of [
    '.git/kotef/x',
    '.git/kotef/a/b/x',
    '.git/worktrees/w/kotef/x',
    '.sdd/cache/x',
    'docs/intents/x',
  ]) {
    await write(join(repo.root, path))
    expect(existsSync(join(repo.root, path))).toBe(true)
  }
})
