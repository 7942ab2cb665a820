import { expect, test } from 'vitest'
import { judgeNewCommits } from '../../src/world/commits/judge-new-commits.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { fixture } from '../rig/fixture.ts'
import { judgedRepo, playOrThrow } from '../rig/judged-repo.ts'
import { copyGoverned } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'

const template = fixture(judgedRepo)

/** The rules that a commit outside of the scope is found to break, where `settled` says what is recorded. */
async function judgedAfter(repo: Repo, settled: () => Promise<unknown>): Promise<unknown[]> {
  await playOrThrow(repo, 'echo x >>lib/x.ts; git add lib; git -c core.hooksPath=/dev/null commit -qm x')
  const records = await judgeNewCommits(await openWorkspace(repo.root), { settled })
  return records.map(it => it.metadata['dev.kotef']).map(it => 'rule' in it && it.rule)
}

test('a commit is judged, though the daemon can not say what was written before', async () => {
  await using repo = await copyGoverned(template())
  expect(await judgedAfter(repo, () => Promise.reject(new Error('the daemon is stopped')))).not.toEqual([])
})

test('a rebase that begins meanwhile is waited for', async () => {
  await using repo = await copyGoverned(template())
  expect(await judgedAfter(repo, () => playOrThrow(repo, 'mkdir .git/rebase-merge'))).toEqual([])
  await playOrThrow(repo, 'rmdir .git/rebase-merge')
  expect(await judgeNewCommits(await openWorkspace(repo.root))).not.toEqual([])
})

test('a commit that is made meanwhile is waited for as well', async () => {
  await using repo = await copyGoverned(template())
  let waits = 0
  const settled = async () => ++waits < 3 && playOrThrow(repo, 'git commit -qnm more --allow-empty')
  await judgedAfter(repo, settled)
  expect(waits).toBe(3)
})
