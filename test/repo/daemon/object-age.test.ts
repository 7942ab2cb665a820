import { expect, test } from 'vitest'
import { openBlobs } from '../../../src/world/io/git/blobs.ts'
import { blobMadeAt } from '../../../src/world/recording/git-evidence/object-age.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { oidOf } from '../../rig/tree.ts'

test('a blob that git makes while it is asked for is as young as it is', async () => {
  await using repo = await temporaryRepo({ 'a.ts': 'a\n' })
  await using blobs = openBlobs(repo.root)
  const workspace = await openWorkspace(repo.root)
  const [oid, began] = [oidOf('typed\n'), workspace.clock.now()]
  // Somebody stages it just before git is asked for it.
  const staged = {
    ...blobs,
    read: async (name: string) => {
      await repo.write('typed.ts', 'typed\n')
      await repo.git('add', 'typed.ts')
      return blobs.read(name)
    },
  }
  expect(await blobMadeAt(workspace, blobs, { oid, exists: false })).toBeNull()
  expect(await blobMadeAt(workspace, staged, { oid, exists: false })).toBeGreaterThan(began - 20)
  await repo.git('gc', '--quiet')
  await repo.git('prune-packed')
  expect(await blobMadeAt(workspace, blobs, { oid: oidOf('a\n'), exists: false })).toBe(-Infinity)
})
