import { expect, test } from 'vitest'
import { openBlobs } from '../../../src/io/git/blobs.ts'
import { loadHasher } from '../../../src/io/files/hasher.ts'
import { evidenceNow, followGit } from '../../../src/git-evidence/git-evidence.ts'
import { freshState, refreshIndex } from '../../../src/observation/worktree-state.ts'
import { readHead } from '../../../src/worktree/head.ts'
import { observe } from '../../../src/observation/observe.ts'
import { loadPolicy } from '../../../src/policy/load-policy.ts'
import { openWorkspace } from '../../../src/worktree/workspace.ts'
import type { TraceRecord } from '../../../src/ledger/record.ts'
import { governedRepo } from '../../rig/governed-repo.ts'

test.each([
  ['mv', 'src/a.ts'],
  ['mv', 'src/b.ts'],
  ['git mv', 'src/a.ts'],
  ['git mv', 'src/b.ts'],
])('a %s of which only %s is noticed names both ends', async (how, noticed) => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\nb\n' })
  const workspace = await openWorkspace(repo.root)
  await using blobs = openBlobs(repo.root)
  const memory = await freshState(workspace)
  const hasher = await loadHasher()
  const head = () => readHead(workspace)
  const observer = {
    workspace,
    state: memory,
    hasher,
    blobs,
    textBytesMax: 1000,
    halt: new AbortController().signal,
    policyAt: () => loadPolicy(workspace),
    head,
  }
  await repo.run('sh', ['-c', `${how} src/a.ts src/b.ts`])
  await refreshIndex(workspace, memory)
  const evidence = evidenceNow(followGit({ workspace, blobs, state: memory }))
  const told: unknown[] = []
  const recorded = (records: readonly TraceRecord[]) =>
    told.push(...records.map(it => [it.files[0]?.kotef.op, it.files[0]?.kotef.from, it.files[0]?.path]))
  await observe(observer, { paths: [noticed], evidence, source: 'daemon', recorded })
  expect(told).toEqual([['rename', 'src/a.ts', 'src/b.ts']])
})
