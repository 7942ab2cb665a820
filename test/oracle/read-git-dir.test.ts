import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { locateWorktree } from '../../src/world/io/git/read-git-dir.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

/** What git says of a folder. */
async function byGit(repo: Repo, cwd: string) {
  const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir', 'HEAD']
  const [root, gitDir, commonDir, head] = (await repo.run('git', asked, { cwd })).stdout.split('\n')
  return { root, gitDir, commonDir, head, isUnborn: false }
}

test('an ordinary worktree is found as git finds it, wherever in it one stands, and on whatever commit', async () => {
  await using repo = await temporaryRepo({ 'src/deep/a': 'a\n' })
  const linked = join(repo.base, 'linked')
  await repo.git('worktree', 'add', '-q', '-b', 'other/branch', linked)
  await symlink(join(repo.root, 'src'), join(repo.base, 'link'))
  const folders = [repo.root, join(repo.root, 'src/deep'), join(repo.base, 'link/deep'), linked, join(linked, 'src')]
  for (const change of [
    'true',
    'git commit -q --allow-empty -m 2',
    'git pack-refs --all',
    'git checkout -q --detach',
  ]) {
    await repo.play(change)
    for (const folder of folders)
      expect(locateWorktree(folder), `${change}: ${folder}`).toEqual(await byGit(repo, folder))
  }
})

test.each([
  ['no repository', 'rm -rf .git'],
  ['a worktree that is elsewhere', 'git config core.worktree ..'],
  ['a bare repository', 'git config core.bare true'],
  ['settings that are taken in from elsewhere', 'git config include.path ../more'],
  ['a form of repository that is new', 'git config extensions.objectFormat sha1'],
  ['no config', 'rm .git/config'],
  ['no objects', 'rm -r .git/objects'],
  ['a format of repository that is newer', 'git config core.repositoryFormatVersion 2'],
  ['a link in the place of .git', 'mv .git ../real; ln -s ../real .git'],
  ['a bare repository around', 'git init -q --bare src'],
])('%s: git has to say', async (_, damage) => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  await mkdir(join(repo.root, 'src'))
  await repo.play(damage)
  expect(locateWorktree(join(repo.root, 'src'))).toBeNull()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('a repository of another user: git has to say', async () => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  const linked = join(repo.base, 'linked')
  await repo.git('worktree', 'add', '-q', linked)
  const user = process.geteuid?.() ?? 0
  vi.spyOn(process as { geteuid: () => number }, 'geteuid').mockReturnValue(user + 1)
  for (const it of [repo.root, linked]) expect(locateWorktree(it)).toBeNull()
})

test('where the way up has a ceiling, git has to say; at the top of the worktree there is no way up', async () => {
  await using repo = await temporaryRepo({ 'src/a': 'a\n' })
  const src = join(repo.root, 'src')
  const env = { GIT_CEILING_DIRECTORIES: repo.root }
  vi.stubEnv('GIT_CEILING_DIRECTORIES', repo.root)
  expect((await repo.run('git', ['rev-parse', '--show-toplevel'], { cwd: src, env })).code).toBe(128)
  expect(locateWorktree(src)).toBeNull()
  expect(locateWorktree(repo.root)).toEqual(await byGit(repo, repo.root))
})

test("within git's own folder there is no worktree", async () => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  const folders = [join(repo.root, '.git'), join(repo.root, '.git/refs/heads')]
  for (const it of folders) expect([locateWorktree(it), (await byGit(repo, it)).root]).toEqual([null, ''])
})

test.each([
  ['an unborn branch', 'git checkout -q --orphan new', true],
  ['an unborn branch beside packed references', 'git pack-refs --all; git checkout -q --orphan new', true],
  ['a branch whose file is empty', ': > .git/refs/heads/main', false],
  ['a HEAD that is damaged', 'echo garbage > .git/HEAD', false],
  ['a HEAD that leads out of the references', 'echo "ref: ../../a" > .git/HEAD', false],
])('%s: nobody knows the commit', async (_, damage, isUnborn) => {
  await using repo = await temporaryRepo({ a: 'a\n' })
  await repo.play(damage)
  expect(locateWorktree(repo.root)).toMatchObject({ root: repo.root, head: null, isUnborn })
})
