import { expect, test } from 'vitest'
import { blobsOf } from '../../../src/io/blobs.ts'
import { loadHasher } from '../../../src/io/hash.ts'
import { gitActivity, tracesOf } from '../../../src/recording/git-activity.ts'
import { freshMemory, refreshIndex } from '../../../src/recording/memory.ts'
import { cachedHead } from '../../../src/recording/head-cache.ts'
import { observe } from '../../../src/recording/observe.ts'
import { loadPolicy } from '../../../src/workspace/policy.ts'
import { openWorkspace } from '../../../src/workspace/workspace.ts'
import { governedRepo } from '../../rig/governed.ts'

test.each([
  ['mv', 'src/a.ts'],
  ['mv', 'src/b.ts'],
  ['git mv', 'src/a.ts'],
  ['git mv', 'src/b.ts'],
])('a %s of which only %s is noticed names both ends', async (how, noticed) => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  const workspace = await openWorkspace(repo.root)
  await using blobs = blobsOf(repo.root)
  const memory = await freshMemory(workspace)
  const hasher = await loadHasher()
  const head = cachedHead(workspace)
  const observer = { workspace, memory, hasher, blobs, textBytesMax: 1000, policyAt: () => loadPolicy(workspace), head }
  await repo.run('sh', ['-c', `${how} src/a.ts src/b.ts`])
  await refreshIndex(workspace, memory)
  const activity = gitActivity(workspace, { brackets: () => [] }, tracesOf({ workspace, blobs, memory }))
  const { records } = await observe(observer, { paths: [noticed], activity, source: 'daemon' })
  const told = records.map(it => [it.files[0]?.kotef.op, it.files[0]?.kotef.from, it.files[0]?.path])
  expect(told).toEqual([['rename', 'src/a.ts', 'src/b.ts']])
})
