import { expect, test } from 'vitest'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'

test.each([
  ['a squash', 'git merge -q --squash other'],
  ['a pick that is no commit', 'git cherry-pick -n other'],
  ['a checkout of paths', 'git checkout -q other -- src'],
])('%s of what another worktree has just committed is no write', async (_, command) => {
  await using repo = await governedRepo({ 'src/a': 'a\n', 'src/b': 'b\n' }, { agent: 'aider' })
  await repo.git('worktree', 'add', '--quiet', '-b', 'other', '../other')
  await using _daemon = await startWatching(repo)
  await repo.write('src/own', 'own\n')
  await flushedWrites(repo)
  const work = `cd ../other; echo theirs >>src/a; echo new >src/new; git add -A; git commit -qm theirs
    cd -; ${command}; git commit -qm mine`
  expect(await repo.run('sh', ['-ec', work])).toMatchObject({ code: 0 })
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/own'])
})

test('a pick from another worktree is no write, however new it is and however long its hooks take', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n', 'src/b': 'b\n' }, { agent: 'aider' })
  await repo.git('worktree', 'add', '--quiet', '-b', 'other', '../other')
  // Each of these takes some milliseconds, as the hooks of a linter do.
  const hook = ['#!/bin/sh', ...Array.from({ length: 60 }, () => 'git rev-parse HEAD >/dev/null')].join('\n')
  await repo.write('.git/hooks/prepare-commit-msg', `${hook}\n`, 0o755)
  await using _daemon = await startWatching(repo)
  await repo.write('src/own', 'own\n')
  await flushedWrites(repo)
  const commit = 'cd ../other; echo theirs >>src/a; echo new >src/new; git add -A; git commit -qm theirs'
  expect(await repo.run('sh', ['-ec', commit])).toMatchObject({ code: 0 })
  expect(await repo.run('git', ['cherry-pick', 'other'])).toMatchObject({ code: 0 })
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/own'])
})

test('what is typed and committed in one go is a write, beside another worktree as well', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' }, { agent: 'aider' })
  await repo.git('worktree', 'add', '--quiet', '-b', 'other', '../other')
  await using _daemon = await startWatching(repo)
  const work = 'echo mine >>src/a; git commit -qam mine; cd ../other; git merge -q --ff-only main'
  expect(await repo.run('sh', ['-ec', work])).toMatchObject({ code: 0 })
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a'])
})
