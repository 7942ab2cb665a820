import { expect, test } from 'vitest'
import { openRefFolders } from '../../../src/shells/daemon/ref-folders.ts'
import { disk } from '../../../src/world/io/files/files.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const failed = (reason: Error): never => {
  throw reason
}

test.for([
  ['is removed and made again between two looks', 'rm -r .git/refs/notes; mkdir .git/refs/notes'],
  ['is replaced by another one', 'mkdir .git/n; mv .git/refs/notes .git/old; mv .git/n .git/refs/notes'],
])('a folder of refs that %s is watched as it is now', async ([, commands = '']) => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  await repo.play('mkdir .git/refs/notes')
  let count = 0
  const context = { files: disk, commonDir: `${repo.root}/.git` }
  using folders = openRefFolders(context, { changed: () => void (count += 1), failed })
  await folders.follow()
  await repo.play(commands)
  await expect.poll(() => count).toBeGreaterThan(0)
  await folders.follow()
  await repo.play('echo x >.git/refs/notes/first')
  await expect.poll(() => count).toBeGreaterThan(0)
  const before = count
  await repo.play('echo x >.git/refs/notes/kotef')
  await expect.poll(() => count).toBeGreaterThan(before)
})

test('a folder of refs that goes while it is looked for stops no look', async () => {
  const stat = async () => ({ identity: '1 1', size: 0, isFile: false })
  using folders = openRefFolders(
    { files: { ...disk, stat }, commonDir: '/nowhere' },
    { changed: failed as never, failed },
  )
  await expect(folders.follow()).resolves.toBeUndefined()
})
