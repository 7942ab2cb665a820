import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { worktreeSnapshot } from '../../rig/doctor-repo.ts'
import { judgeNewHistory } from '../../rig/judged-repo.ts'
import { compileRepo, copyGoverned, hookedRepo, runInit, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { GIT_HAS_REFTABLE } from '../../rig/installation.ts'
import { backdatePolicyFiles, runTracingGit, copyWithSlowPathTrap } from '../../rig/slow-path.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const template = fixture(async () => {
  const template = await hookedRepo()
  await backdatePolicyFiles(template)
  return template
})

const OUTSIDE = 'kotef: commit stopped, 1 problem.\n  block  lib/x.ts is outside intent INT-001\n'

/** A folder to be the whole PATH, with these programs in it. */
async function onlyWith(repo: Repo, programs: string): Promise<string> {
  const link = 'ln -s "$(command -v $it)" "../only/$it"'
  await repo.play(`mkdir ../only; for it in ${programs}; do ${link}; done`)
  return join(repo.base, 'only')
}

describe('where there is no node on the PATH', () => {
  test('a commit that is fine needs none, and one that is not is refused in plain words', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/kotef/node', '/nowhere/node\n')
    const env = { PATH: await onlyWith(repo, 'git sh ls') }
    await repo.play('echo x >>src/a.ts')
    expect(await repo.run('git', ['commit', '-qam', 'w'], { env })).toMatchObject({ code: 0, stderr: '' })
    await repo.play('echo x >>lib/x.ts')
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'], { env })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no node to judge it') })
  })

  test('the one that kotef was installed with judges', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>lib/x.ts')
    const env = { PATH: await onlyWith(repo, 'git sh ls') }
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'], { env })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(OUTSIDE) })
  })

  test('and no ls either, every commit is judged in full', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/a.ts')
    const env = { PATH: await onlyWith(repo, 'git sh cat') }
    const { code, stderr, calls } = await runTracingGit(repo, 'git commit -qam w', env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(calls).toContain('ls-tree')
  })
})

describe('what the caller has set for other programs changes no judgement', () => {
  test.each([
    ['NODE_OPTIONS', '--require /nowhere/else.js'],
    ['GIT_EXTERNAL_DIFF', 'false'],
    ['GIT_DIFF_OPTS', '--unified=0'],
    ['GIT_TRACE', '1'],
    ['GIT_ATTR_SOURCE', 'HEAD'],
    ['QUOTING_STYLE', 'c'],
    ['LC_ALL', 'C.UTF-8'],
    ['POSIXLY_CORRECT', '1'],
    ['CDPATH', '/'],
  ])('%s=%s', async (name, value) => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/a.ts; git add src; echo x >>lib/x.ts')
    const inside = await repo.run('git', ['commit', '-qm', 'w'], { env: { [name]: value } })
    expect(inside.code).toBe(0)
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'], { env: { [name]: value } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(OUTSIDE) })
  })

  test('and what would make Node load more does not reach the one that judges', async () => {
    await using repo = await copyGoverned(template())
    const node = '#!/bin/sh\necho "[${NODE_OPTIONS-}] [${NODE_EXTRA_CA_CERTS-}]" >../seen\nexec node "$@"\n'
    await repo.write('../wrapper', node, 0o755)
    await repo.write('.git/kotef/node', `${join(repo.base, 'wrapper')}\n`)
    await repo.play('echo x >>lib/x.ts')
    const env = { NODE_OPTIONS: '--no-warnings', NODE_EXTRA_CA_CERTS: '/nowhere/certificates' }
    expect((await repo.run('git', ['commit', '-qam', 'w'], { env })).stderr).toContain(OUTSIDE)
    expect(await readFile(join(repo.base, 'seen'), 'utf8')).toBe('[] []\n')
  })
})

const QUIET = 'git config advice.sparseIndexExpanded false'

describe('however the repository is configured, what is fine is fast and what is not is refused', () => {
  test.each([
    ['diff.noprefix', 'git config diff.noprefix true'],
    ['diff.mnemonicPrefix', 'git config diff.mnemonicPrefix true'],
    ['colors', 'git config color.ui always; git config color.diff always'],
    ['an external diff', 'git config diff.external false'],
    ['a driver for each file', "echo '* diff=x' >.git/info/attributes; git config diff.x.command false"],
    ['attributes of the user', "echo '* -text in end' >../mine; git config core.attributesFile ../mine"],
    ['renames as copies', 'git config diff.renames copies; git config status.renames copies'],
    ['a default of --relative', 'git config diff.relative true'],
    ['quoted paths', 'git config core.quotePath true'],
    ['plain paths', 'git config core.quotePath false'],
    ['composed paths', 'git config core.precomposeUnicode true'],
    ['case to be overlooked', 'git config core.ignoreCase true'],
    ['modes to be overlooked', 'git config core.fileMode false'],
    ['a sparse checkout', 'git sparse-checkout set --no-cone /src/ /lib/ /.orchestration/ /.sdd/ /.intentignore'],
    ['a sparse index', `${QUIET}; git sparse-checkout set --cone --sparse-index src lib .orchestration .sdd`],
    ['a split index', 'git update-index --split-index'],
    ['an untracked cache', 'git update-index --force-untracked-cache'],
    ['an index of version 4', 'git update-index --index-version 4'],
    ['no file monitor', 'git config core.fsmonitor false'],
    ['an editor', 'git config core.editor false'],
    ['hooks elsewhere, by another way', 'mv .git/hooks .git/mine; git config core.hooksPath .git/mine'],
  ])('%s', async (_, settings) => {
    await using repo = await copyGoverned(template())
    await repo.play(settings)
    await backdatePolicyFiles(repo)
    await compileRepo(repo)
    const fine = await runTracingGit(repo, 'echo x >>src/a.ts; git commit -qm w src/a.ts')
    expect(fine).toMatchObject({ code: 0, stderr: '', calls: ['commit', 'diff-index'] })
    await repo.play('echo x >>lib/x.ts; git add lib')
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(OUTSIDE) })
  })
})

describe('a commit is judged by its own repository', () => {
  test.each([
    ['that git of another repository makes in a hook', 'git -C ../repo commit -qm w'],
    [
      'from a hook in a linked worktree, which says where it is',
      'unset $(git rev-parse --local-env-vars); git -C ../repo commit -qm w',
    ],
  ])('%s', async (_, command) => {
    await using repo = await copyGoverned(template())
    const outer = `git init -q ../outer; cd ../outer; git commit -q --allow-empty -m first
      printf '#!/bin/sh\\n%s 2>../told; echo $? >../code\\n' '${command}' >.git/hooks/post-commit
      chmod +x .git/hooks/post-commit
      ${command.startsWith('unset') ? 'git worktree add -q ../linked; cd ../linked' : ':'}`
    const said = async () => (await repo.play(`${outer}; git commit -q --allow-empty -m w; cat ../code ../told`)).stdout
    await repo.play('echo x >>lib/x.ts; git add lib')
    expect(await said()).toContain(`1\n${OUTSIDE}`)
    await repo.play('git read-tree HEAD; echo x >>src/a.ts; git add src; rm -rf ../outer ../linked')
    expect(await said()).toBe('0\n')
    expect(await repo.git('log', '-1', '--format=%s %(trailers:key=Intent-ID)')).toBe('w Intent-ID: INT-001\n\n')
  })

  test('that is named by GIT_DIR and GIT_WORK_TREE, from wherever', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('echo x >>src/a.ts; git add src')
    const env = { GIT_DIR: join(repo.root, '.git'), GIT_WORK_TREE: repo.root }
    const away = { cwd: join(repo.base, 'home'), env }
    expect(await repo.run('git', ['commit', '-qm', 'w'], away)).toMatchObject({ code: 0, stderr: '' })
    await repo.play('echo x >>lib/x.ts; git add lib')
    expect((await repo.run('git', ['commit', '-qm', 'w'], away)).stderr).toContain(OUTSIDE)
  })

  test('and by the index that it is made of', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    await repo.play('cp .git/index ../other; echo x >>src/a.ts; git add src; echo x >>lib/x.ts')
    const env = { GIT_INDEX_FILE: join(repo.base, 'other') }
    await repo.run('git', ['add', 'lib/x.ts'], { env })
    expect((await repo.run('git', ['commit', '-qm', 'w'], { env })).stderr).toContain('takes the long way')
    expect(await repo.run('git', ['commit', '-qm', 'w'])).toMatchObject({ code: 0, stderr: '' })
  })
})

test.each([['status'], ['init', '--yes']])(
  'kotef %s in a repository of somebody else says how to trust it',
  async (...words) => {
    await using repo = await temporaryRepo({ 'a.ts': 'a\n' })
    const git = (await repo.play('command -v git')).stdout.trim()
    await repo.write('../bin/git', `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${git} "$@"\n`, 0o755)
    // Only git believes in another owner here, so it must be git that is asked where the worktree is.
    await repo.git('config', 'include.path', '../none')
    const configs = ['../home/.gitconfig', '../home/.config/git/config', '.git/config']
    for (const it of configs.slice(0, 2)) await repo.write(it, '[user]\n\tname = me\n')
    const before = await Promise.all(configs.map(it => repo.read(it)))
    const env = { PATH: `${join(repo.base, 'bin')}:${repo.env()['PATH']}` }
    const { code, stderr } = await repo.run('kotef', words, { env })
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it belongs to another user') })
    expect(stderr).toContain(`\`git config --global --add safe.directory ${repo.root}\``)
    expect(await Promise.all(configs.map(it => repo.read(it)))).toEqual(before)
  },
)

test('a repository of a later git is left as it is, and what this one lacks is said', () => leftAlone('tomorrow'))

test(
  GIT_HAS_REFTABLE
    ? 'refs may be kept in a reftable'
    : 'refs in a reftable are left as they are, and said to be too new',
  () => (GIT_HAS_REFTABLE ? governedInReftable() : leftAlone('refStorage')),
)

async function leftAlone(extension: string): Promise<void> {
  await using repo = await copyGoverned(template())
  await repo.play('echo x >>src/a.ts; cp .git/config ../config; git config core.repositoryFormatVersion 1')
  await repo.git('config', `extensions.${extension}`, 'reftable')
  const before = await worktreeSnapshot(repo)
  for (const verb of ['status', 'init --yes', 'doctor', 'watch --detach', 'intent start INT-002']) {
    const { code, stdout, stderr } = await repo.kotef(...verb.split(' '))
    const refusal = `kotef: Git does not support extensions.${extension.toLowerCase()}, which the repository in `
    expect([verb, code, stdout, stderr]).toEqual([verb, 3, '', expect.stringContaining(refusal + repo.root)])
    expect(stderr).toContain('`git version`')
  }
  expect((await repo.run('git', ['commit', '-qam', 'w'])).code).toBe(128)
  expect(await worktreeSnapshot(repo)).toBe(before)
  await repo.play('cp ../config .git/config')
  expect(await repo.run('git', ['commit', '-qam', 'w'])).toMatchObject({ code: 0, stderr: '' })
  expect(await judgeNewHistory(repo)).toEqual([])
}

async function governedInReftable(): Promise<void> {
  await using repo = await temporaryRepo()
  await repo.play('rm -rf .git; git init -q -b main --ref-format=reftable')
  const intent = '{ id: INT-001, name: work, status: IN_PROGRESS, owned_scope: ["src/**"] }'
  await repo.write('.orchestration/active_intents.yaml', `active_intents:\n  - ${intent}\n`)
  await runInit(repo)
  await repo.play("git add -A; git commit -qm adopt -m 'Governance: adopt kotef'")
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  await backdatePolicyFiles(repo)
  await compileRepo(repo)
  await repo.play('mkdir src lib; echo x >src/a.ts; git add src')
  const fine = await runTracingGit(repo, 'git commit -qm w')
  expect(fine).toMatchObject({ code: 0, stderr: '', calls: ['commit', 'diff-index'] })
  expect((await repo.play('echo x >lib/x.ts; git add lib; git commit -qm w')).stderr).toContain(OUTSIDE)
  await repo.git('commit', '-qnm', 'stray')
  expect(await judgeNewHistory(repo)).toEqual(['in-scope lib/x.ts in stray'])
}
