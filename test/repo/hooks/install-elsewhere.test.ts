import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import {
  adoptedRepo,
  folderContents,
  GOVERNED_VERDICTS,
  GIT_RUNS_CONFIGURED_HOOKS,
  commitVerdicts,
} from '../../rig/installation.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(adoptedRepo)

// A company's hook writes down its name, its arguments and what it hears.
const COMPANY = '#!/bin/sh\n{ echo "${0##*/} $*"; cat; } >>"$HOME/company"\n'

/** A repository of a user whose git looks for the hooks of every repository in one folder. */
async function companyRepo(...hooks: string[]): Promise<Repo> {
  const repo = await copyGoverned(template())
  for (const hook of hooks) await repo.write(`../home/company hooks/${hook}`, COMPANY, 0o755)
  await repo.write('../home/.gitconfig', '[core]\n\thooksPath = ~/company hooks\n')
  return repo
}

/** A command line of this user: with a config of their own. */
const asUser = (repo: Repo) => (line: string) => repo.run('env', ['-u', 'GIT_CONFIG_GLOBAL', 'sh', '-c', line])

async function hookUp(repo: Repo): Promise<string> {
  const { code, stdout, stderr } = await asUser(repo)('kotef init --yes')
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const company = (repo: Repo) => readFile(join(repo.base, 'home/company'), 'utf8').catch(() => '')

describe('where git looks for every hook in a folder of the user', () => {
  test('kotef is called, that folder stays as it is, its hooks run as before, and uninit leaves no trace', async () => {
    await using repo = await companyRepo('pre-commit', 'commit-msg', 'pre-push')
    const folder = join(repo.base, 'home/company hooks')
    const before = [
      await folderContents(folder),
      await repo.read('.git/config'),
      await folderContents(join(repo.root, '.git/hooks')),
    ]
    expect(await hookUp(repo)).toContain(folder)
    expect((await asUser(repo)('git clone -q --bare . ../bare.git')).code).toBe(0)
    await rm(join(repo.base, 'home/company'), { force: true })
    expect(await commitVerdicts(repo, asUser(repo))).toEqual(GOVERNED_VERDICTS)
    const lines = (await company(repo)).split('\n')
    expect(lines).toContain('pre-commit ')
    expect(lines).toContain('commit-msg .git/COMMIT_EDITMSG')
    expect((await asUser(repo)('git push -q ../bare.git main')).code).toBe(0)
    expect(await company(repo)).toMatch(/^pre-push \.\.\/bare\.git \.\.\/bare\.git\nrefs\/heads\/main [0-9a-f]{40} /m)
    expect((await asUser(repo)('kotef uninit')).code).toBe(0)
    expect([
      await folderContents(folder),
      await repo.read('.git/config'),
      await folderContents(join(repo.root, '.git/hooks')),
    ]).toEqual(before)
    expect(await folderContents(join(repo.root, '.git/kotef/hooks'))).toEqual({})
  })

  test('a hook that comes there later runs from its first day, and one that fails still fails', async () => {
    await using repo = await companyRepo()
    await hookUp(repo)
    expect(await commitVerdicts(repo, asUser(repo))).toEqual(GOVERNED_VERDICTS)
    await repo.write('../home/company hooks/pre-rebase', COMPANY, 0o755)
    await repo.write('../home/company hooks/commit-msg', '#!/bin/sh\necho no >&2; exit 1\n', 0o755)
    expect((await asUser(repo)('git rebase -q --autostash --force-rebase HEAD~1')).code).toBe(0)
    expect(await company(repo)).toContain('pre-rebase HEAD~1\n')
    expect((await commitVerdicts(repo, asUser(repo))).inside).toContain('refused: no\n')
  })

  test('a folder that moves is found where it is', async () => {
    await using repo = await companyRepo('pre-commit')
    await hookUp(repo)
    await rename(join(repo.base, 'home/company hooks'), join(repo.base, 'home/moved'))
    await repo.write('../home/.gitconfig', '[core]\n\thooksPath = ~/moved\n')
    expect(await commitVerdicts(repo, asUser(repo))).toEqual(GOVERNED_VERDICTS)
    expect(await company(repo)).toContain('pre-commit')
  })

  test('a repository that moves keeps both, with the next intent start at the latest', async () => {
    await using repo = await companyRepo('pre-commit')
    await hookUp(repo)
    await rename(repo.root, join(repo.base, 'moved'))
    const cwd = join(repo.base, 'moved')
    const moved = (line: string) => repo.run('env', ['-u', 'GIT_CONFIG_GLOBAL', 'sh', '-c', line], { cwd })
    expect((await moved('kotef intent start INT-001')).code).toBe(0)
    expect(await commitVerdicts(repo, moved)).toEqual(GOVERNED_VERDICTS)
    expect(await company(repo)).toContain('pre-commit')
  })

  test('setting it up again changes nothing', async () => {
    await using repo = await companyRepo('pre-commit')
    await hookUp(repo)
    const before = [await repo.read('.git/config'), await folderContents(join(repo.root, '.git/kotef/hooks'))]
    expect((await asUser(repo)('kotef init --yes')).code).toBe(0)
    expect([await repo.read('.git/config'), await folderContents(join(repo.root, '.git/kotef/hooks'))]).toEqual(before)
  })

  test('git runs no hook of ours that it would do something else for, unless the folder has it', async () => {
    await using repo = await companyRepo('post-index-change')
    await hookUp(repo)
    const names = Object.keys(await folderContents(join(repo.root, '.git/kotef/hooks')))
    const rare = ['reference-transaction', 'push-to-checkout', 'post-index-change'].filter(it => names.includes(it))
    expect(rare).toEqual(GIT_RUNS_CONFIGURED_HOOKS ? [] : ['post-index-change'])
  })
})

describe('where the clone itself names a folder outside of it', () => {
  test('kotef is called, that folder stays as it is, its hooks run as before, and uninit names it again', async () => {
    await using repo = await companyRepo()
    await repo.write('../all hooks/pre-commit', COMPANY, 0o755)
    await repo.git('config', 'core.hooksPath', '../all hooks')
    const before = await repo.read('.git/config')
    await hookUp(repo)
    expect(await commitVerdicts(repo, asUser(repo))).toEqual(GOVERNED_VERDICTS)
    expect(await company(repo)).toContain('pre-commit')
    expect((await asUser(repo)('kotef uninit')).code).toBe(0)
    expect(await repo.read('.git/config')).toBe(before)
  })

  test('for one worktree alone an older git leaves no way, and init says so before it changes anything', async () => {
    await using repo = await companyRepo()
    await repo.git('config', 'extensions.worktreeConfig', 'true')
    await repo.git('config', '--worktree', 'core.hooksPath', '../all hooks')
    const before = await folderContents(join(repo.root, '.git'))
    const { code, stdout } = await asUser(repo)('kotef init --yes --json')
    const refused = { error: { code: 'hooks-elsewhere' } }
    expect([code, JSON.parse(stdout)]).toMatchObject(
      GIT_RUNS_CONFIGURED_HOOKS ? [0, { hooks: { way: 'config' } }] : [3, refused],
    )
    if (!GIT_RUNS_CONFIGURED_HOOKS) expect(await folderContents(join(repo.root, '.git'))).toEqual(before)
  })
})
