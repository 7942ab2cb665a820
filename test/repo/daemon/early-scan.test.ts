import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scanWorktree } from '../../../src/world/recording/observation/baseline.ts'
import { freshState } from '../../../src/world/recording/observation/worktree-state.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// What git said early is told apart from what it would say now by a path that no repository has.
const EARLY = { status: [{ path: 'early', kind: 'dirty' as const }], ignored: ['early'] }

const early = (startedAt: number, answer: typeof EARLY | null) => ({
  ...{ startedAt, answer: Promise.resolve(answer) },
  index: Promise.resolve(null),
})

async function scanned(repo: Repo, answer: typeof EARLY | null, startedAt = Date.now() + 1_000): Promise<string[]> {
  const scan = await scanWorktree(await openWorkspace(repo.root), early(startedAt, answer))
  return [...(await scan.status()).map(it => it.path), ...(await scan.ignored())]
}

test('a scan that was started early counts, with the time at which it was started', async () => {
  await using repo = await hookedRepo()
  const startedAt = Date.now() + 1_000
  expect(await scanned(repo, EARLY, startedAt)).toEqual(['early', 'early'])
  const scan = await scanWorktree(await openWorkspace(repo.root), early(startedAt, EARLY))
  expect(scan.observedAt.at).toBe(startedAt)
})

test.each([
  ['before it was written is not used', 0, 1],
  ['after it was written is used', 1_000, 0],
])('a list of the index that was asked for %s', async (_, later, size) => {
  await using repo = await hookedRepo()
  const workspace = await openWorkspace(repo.root)
  const { ctimeMs } = await stat(join(repo.root, '.git/index'))
  const bytes = Promise.resolve(Buffer.alloc(0))
  const { index } = await freshState(workspace, { startedAt: ctimeMs + later, bytes })
  expect(Math.sign(index.size)).toBe(size)
})

test('git is asked again where it failed early', async () => {
  await using repo = await hookedRepo()
  await repo.play('echo x >>src/a.ts')
  expect(await scanned(repo, null)).toContain('src/a.ts')
})

test.each(['.git/logs/HEAD', '.git/index', '.git/info/exclude', '.git/kotef/cursor.json'])(
  'git is asked again where %s was written since',
  async path => {
    await using repo = await hookedRepo()
    await repo.play(`mkdir -p .git/info; touch ${path}; echo x >>src/a.ts`)
    const late = new Date(Date.now() + 2_000)
    await utimes(join(repo.root, path), late, late)
    expect(await scanned(repo, EARLY)).toContain('src/a.ts')
  },
)
