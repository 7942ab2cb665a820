import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { judgeNewHistory } from '../../rig/judged-repo.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { folderContents, freshRepo, GOVERNED_VERDICTS, initAndAdopt, commitVerdicts } from '../../rig/installation.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'
import { copyRepo, type Repo, temporaryRepo } from '../../rig/repo.ts'

const MINE = 'echo mine >>"$HOME/ran"\n'

/** What husky puts into a repository, by husky itself, in the root or in a package below it. */
async function huskyRepo(at = '.'): Promise<Repo> {
  const repo = await freshRepo({ [join(at, '.husky/pre-commit')]: MINE, '.gitignore': 'node_modules\n' })
  await installed(repo, at)
  await repo.run(process.execPath, [join(repositoryRoot, 'node_modules/husky/bin.js'), join(at, '.husky')])
  return repo
}

async function installed(repo: Repo, at: string): Promise<void> {
  await mkdir(join(repo.root, at, 'node_modules'), { recursive: true })
  await symlink(join(repositoryRoot, 'node_modules/husky'), join(repo.root, at, 'node_modules/husky'))
}

async function adoptedHusky(at: string): Promise<Repo> {
  const repo = await huskyRepo(at)
  await initAndAdopt(repo)
  return repo
}

// With husky in its root; it is copied.
const adopted = fixture(() => adoptedHusky('.'))

const ran = (repo: Repo) => readFile(join(repo.base, 'home/ran'), 'utf8').catch(() => '')

describe('under husky', () => {
  test.each(['.', 'packages/app'])('in %s the call stands before the lines that are there, until uninit', async at => {
    await using repo = await huskyRepo(at)
    const before = await folderContents(join(repo.root, at, '.husky'))
    const reported = await runCliOrThrow({ ...repo, root: join(repo.root, at) }, 'init', '--yes')
    expect(reported).toContain(`Husky runs the hooks in ${join(repo.root, at, '.husky')}, and each calls kotef first.`)
    expect(await repo.read(join(at, '.husky/pre-commit'))).toMatch(/^# >>> kotef[^]*# <<< kotef\necho mine/)
    await initAndAdopt(repo)
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    expect(await ran(repo)).toBe('mine\n')
    await runCliOrThrow(repo, 'uninit')
    expect(await folderContents(join(repo.root, at, '.husky'))).toEqual(before)
  })

  test('HUSKY=0 switches kotef off as well: the commit is judged afterwards, once, and doctor says why', async () => {
    await using repo = await copyGoverned(adopted())
    expect(await judgeNewHistory(repo)).toEqual([])
    const outside = await repo.play('echo x >>lib/x.ts; git commit -qam w', { HUSKY: '0' })
    expect(outside).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await repo.git('log', '-1', '--format=%B')).toBe('w\n\n')
    expect(await ran(repo)).toBe('')
    expect(await judgeNewHistory(repo)).toEqual(['intent-named - in w'])
    expect((await ledgerEvents(repo)).filter(it => it['event'] === 'violation')).toHaveLength(1)
    const { exit, text } = await runCli({ ...repo, env: () => ({ ...repo.env(), HUSKY: '0' }) }, 'doctor')
    expect([exit, text]).toEqual([1, expect.stringContaining('HUSKY=0 is set in the environment')])
    expect(await commitVerdicts(repo)).toEqual(GOVERNED_VERDICTS)
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('with HUSKY=0 init changes nothing of what is there', async () => {
    await using repo = await copyGoverned(adopted())
    const before = [await folderContents(join(repo.root, '.husky')), await repo.read('.git/config')]
    expect((await repo.run('kotef', ['init', '--yes'], { env: { HUSKY: '0' } })).code).toBe(0)
    expect([await folderContents(join(repo.root, '.husky')), await repo.read('.git/config')]).toEqual(before)
  })

  test('--hooks husky says how to get husky, and finds it in the package that it is called from', async () => {
    await using repo = await freshRepo({ 'app/package.json': '{}' })
    const there = { ...repo, root: join(repo.root, 'app') }
    expect((await runCli(there, 'init', '--yes', '--hooks', 'husky')).failure?.code).toBe('husky-missing')
    await installed(repo, 'app')
    expect((await runCli(there, 'init', '--yes', '--hooks', 'husky')).failure).toBeNull()
    expect(await repo.git('config', 'core.hooksPath')).toBe('app/.husky/_\n')
  })

  test('whose folder is not there yet is switched on when it is installed, and asked for when it is not', async () => {
    await using repo = await temporaryRepo({ '.husky/pre-commit': '' })
    await repo.git('config', 'core.hooksPath', '.husky/_')
    const { failure } = await runCli(repo, 'init', '--yes')
    expect(failure).toMatchObject({
      code: 'husky-missing',
      hint: expect.stringContaining('npm i -D husky && npx husky'),
    })
    expect(await repo.git('status', '--porcelain')).toBe('')
    await installed(repo, '.')
    expect((await runCli(repo, 'init', '--yes')).failure).toBeNull()
    expect((await runCli(repo, 'doctor')).text).toContain('ok     hooks')
  })
})

describe('a clone with tracked hooks that nobody has set up', () => {
  const LINE =
    /^kotef: not set up in this clone, so it did not check this (commit|merge|push): `npx kotef-watch init`\n$/

  async function unsetClone(config = ''): Promise<Repo> {
    const repo = copyRepo(adopted())
    await repo.write('.orchestration/config.yaml', `version: 1\n${config}`)
    await repo.play('git add -A; KOTEF=0 git commit -qm config; rm -rf .git/kotef; echo x >src.ts; git add src.ts')
    return repo
  }

  test.each(['dash', 'bash', 'busybox sh'])(
    'commits, merges and pushes with one line each, under %s (team A11)',
    async sh => {
      await using repo = await unsetClone()
      if ((await repo.run('sh', ['-c', `command -v ${sh.split(' ')[0] ?? ''}`])).code !== 0) return
      const hook = async (name: string) => repo.run('sh', ['-c', `exec ${sh} -e .husky/${name} </dev/null`])
      for (const it of ['pre-commit', 'pre-merge-commit', 'pre-push'])
        expect(await hook(it)).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(LINE) as unknown })
      expect(await hook('commit-msg')).toEqual({ code: 0, stdout: '', stderr: '' })
      const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
      expect([code, stderr]).toEqual([0, expect.stringMatching(LINE)])
    },
  )

  test('needs no node for that (team A12)', async () => {
    await using repo = await unsetClone()
    await repo.play('mkdir ../bin; for it in git sh dirname basename; do ln -s "$(command -v $it)" ../bin; done')
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'], { env: { PATH: join(repo.base, 'bin') } })
    expect([code, stderr]).toEqual([0, expect.stringMatching(LINE)])
  })

  test.each<[string, string, string]>([
    ['commits nothing', 'unset_clones: block\n', ':'],
    ['commits nothing', 'unset_clones: "block"\n', 'sed -i s/block/pass/ .orchestration/config.yaml; git add .'],
    ['commits nothing', 'unset_clones: pass\n', 'sed -i s/pass/block/ .orchestration/config.yaml'],
  ])('%s under %j after %j', async (_, config, edit) => {
    await using repo = await unsetClone(config)
    await repo.play(edit)
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('npx kotef-watch init')])
    expect((await repo.run('git', ['commit', '-qm', 'w'], { env: { KOTEF: '0' } })).code).toBe(0)
  })
})

describe('a fresh linked worktree under husky', () => {
  test.each(['.', 'app'])('has its hooks from its first commit on, with husky in %s', async at => {
    await using repo = at === '.' ? await copyGoverned(adopted()) : await adoptedHusky(at)
    await repo.git('worktree', 'add', '-qb', 'side', '../a b')
    const cwd = join(repo.base, 'a b')
    await runCliOrThrow({ ...repo, root: cwd }, 'intent', 'start', 'INT-001', '--steal')
    expect(await commitVerdicts(repo, line => repo.run('sh', ['-c', line], { cwd }))).toEqual(GOVERNED_VERDICTS)
    expect(await ran(repo)).toContain('mine\n')
    expect((await repo.run('git', ['status', '--porcelain', '--', join(at, '.husky')], { cwd })).stdout).not.toContain(
      '_',
    )
  })

  test('is healed when it is made; where that could not be, the next intent start does it', async () => {
    await using repo = await copyGoverned(adopted())
    await repo.git('worktree', 'add', '-q', '../w')
    expect(await folderContents(join(repo.base, 'w/.husky/_'))).toEqual(
      await folderContents(join(repo.root, '.husky/_')),
    )
    await rm(join(repo.base, 'w/.husky/_'), { recursive: true })
    const there = { ...repo, root: join(repo.base, 'w') }
    expect(await runCliOrThrow(there, 'intent', 'start', 'INT-001', '--steal')).toContain("Restored: husky's folder")
    expect(await runCliOrThrow(there, 'intent', 'start', 'INT-001', '--steal')).not.toContain('Restored: ')
  })
})

describe('line ends', () => {
  const check = (repo: Repo) => repo.git('check-attr', 'eol', '--', '.husky/pre-commit')

  test('of hooks in the tree stay those of a shell, where nobody has said otherwise', async () => {
    await using repo = await copyGoverned(adopted())
    expect(await check(repo)).toBe('.husky/pre-commit: eol: lf\n')
    await repo.git('config', 'core.autocrlf', 'true')
    await repo.git('add', '.husky')
    await rm(join(repo.root, '.husky/commit-msg'))
    await repo.git('checkout', '--', '.husky')
    expect(await repo.read('.husky/commit-msg')).not.toContain('\r')
  })

  test.each([
    ['.gitattributes', '.husky/* eol=crlf\n', 'crlf'],
    ['.husky/.gitattributes', '# mine\n', 'unspecified'],
  ])('are left to the user who has a rule in %s', async (path, text, eol) => {
    await using repo = await huskyRepo()
    await repo.write(path, text)
    await runCliOrThrow(repo, 'init', '--yes')
    expect(await check(repo)).toBe(`.husky/pre-commit: eol: ${eol}\n`)
    await runCliOrThrow(repo, 'uninit')
    expect(await repo.read(path)).toBe(text)
  })
})

test('in a container without the git folder there is nothing to govern, and init changes nothing', async () => {
  await using repo = await huskyRepo()
  const copy = join(repo.base, 'image')
  await cp(repo.root, copy, { recursive: true, filter: it => !it.endsWith('/.git') })
  const before = await folderContents(copy)
  const prepared = await repo.run('kotef', ['init', '--yes'], { cwd: copy, env: { npm_lifecycle_event: 'prepare' } })
  expect([prepared.code, await folderContents(copy)]).toEqual([0, before])
})
