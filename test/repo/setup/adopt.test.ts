import { expect, test } from 'vitest'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { commitAdoption } from '../../../src/world/setup/adopt.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const agents = { changed: ['.claude/settings.json'], pastes: [] }

test.each([
  ['husky', ['.claude/settings.json', '.husky/pre-commit', '.orchestration/config.yaml']],
  ['git', ['.claude/settings.json', '.orchestration/config.yaml']],
] as const)('the adoption has what kotef wrote, and nothing else, where %s runs the hooks', async (manager, files) => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  for (const path of [
    '.husky/pre-commit',
    '.husky/mine.sh',
    '.orchestration/config.yaml',
    '.claude/settings.json',
    'b',
  ])
    await repo.write(path, 'version: 1\n')
  const hooks = { manager, way: 'files', folder: '', next: null } as const
  const made = await commitAdoption(await openWorkspace(repo.root), { agents, hooks }, repo.env())
  expect(made).toEqual({ files: files.length, failure: null })
  expect((await repo.git('show', '--name-only', '--format=')).trim().split('\n')).toEqual(files)
})

test('what git says against it is the answer, and the index is as before', async () => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  await repo.write('.orchestration/config.yaml', 'version: 1\n')
  await repo.write('.git/hooks/commit-msg', '#!/bin/sh\necho too short >&2\nexit 1\n', 0o755)
  const hooks = { manager: 'git', way: 'files', folder: '', next: null } as const
  const made = await commitAdoption(await openWorkspace(repo.root), { agents, hooks }, repo.env())
  expect(made).toEqual({ files: 1, failure: 'too short' })
  expect(await repo.git('status', '--porcelain', '-uall')).toBe('?? .orchestration/config.yaml\n')
})
