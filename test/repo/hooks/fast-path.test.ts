import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { GIT_HOOKS } from '../../../src/world/setup/hooks/hook-block.ts'
import { compileRepo, copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { backdatePolicyFiles, runTracingGit, copyWithSlowPathTrap } from '../../rig/slow-path.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(async () => {
  const template = await hookedRepo()
  await backdatePolicyFiles(template)
  return template
})

describe('the fast path', () => {
  test('a commit that is fine starts no Node, and asks git once', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    const { code, stderr, calls } = await runTracingGit(
      repo,
      'echo x >>src/a.ts; git commit -qam w -m "Signed-off-by: A"',
    )
    expect({ code, stderr, calls }).toEqual({ code: 0, stderr: '', calls: ['commit', 'diff-index'] })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Signed-off-by: A\nIntent-ID: INT-001\n\n')
    expect(await repo.read('.git/kotef/queue')).toMatch(/^commit\n$/m)
  })

  test('a scope with bounds asks git once as well', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    await repo.write('.intentignore', '*.pem\n/src/secret/\n')
    await backdatePolicyFiles(repo)
    expect(await compileRepo(repo)).toBe(true)
    const { calls } = await runTracingGit(repo, 'echo x >>src/a.ts; git commit -qm w src/a.ts')
    expect(calls).toEqual(['commit', 'diff-index'])
    for (const path of ['src/key.pem', 'src/deep/key.pem', 'src/secret/a', 'src/x.pem/a']) {
      await repo.write(path, 'x\n')
      const { stderr } = await repo.play(`git add ${path}; git commit -qm w; git rm -qf ${path}`)
      expect({ path, stderr }).toEqual({ path, stderr: 'pre-commit takes the long way\n' })
    }
  })

  test.each(['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'])(
    '%s of the caller changes nothing',
    async name => {
      await using repo = await copyWithSlowPathTrap(template())
      await repo.play('echo x >>src/a.ts; git add src')
      const env = { [name]: '1' }
      expect(await repo.run('git', ['commit', '-qm', 'w'], { env })).toMatchObject({ code: 0, stderr: '' })
      await repo.play('echo x >>lib/x.ts; git add lib')
      expect((await repo.run('git', ['commit', '-qm', 'w'], { env })).stderr).toContain('takes the long way')
    },
  )

  test.each([
    ['a path outside', 'echo x >>lib/x.ts'],
    ['a path that is no UTF-8', 'echo x >"$(printf \'src/\\377\')"; git add src'],
    [
      'a folder on the way that is no UTF-8',
      'mkdir "$(printf \'src/\\303\')"; echo x >"$(printf \'src/\\303/a\')"; git add src',
    ],
    ['lessons that wait during a session', 'echo x >.git/kotef/lessons-waiting.md; echo x >>src/a.ts'],
    ['no compiled scope', 'rm .git/kotef/compiled/active; echo x >>src/a.ts'],
    ['a registry written since', 'touch -d "+1 minute" .orchestration/active_intents.yaml; echo x >>src/a.ts'],
    ['an .intentignore written since', 'touch -d "+1 minute" .intentignore; echo x >>src/a.ts'],
    ['a registry that is gone', 'rm .orchestration/active_intents.yaml; echo x >>src/a.ts; git add src'],
    ['an unborn HEAD', 'git update-ref -d HEAD'],
  ])('%s takes the long way', async (_, commands) => {
    await using repo = await copyWithSlowPathTrap(template())
    const { stderr } = await repo.play(`${commands}; git commit -qam w`)
    expect(stderr).toContain('pre-commit takes the long way')
  })

  test.each([
    ['an unknown id', 'Intent-ID: INT-999'],
    ['a second id', 'Intent-ID: INT-001\nINTENT-ID: INT-999'],
    ['an id without a blank', 'Intent-ID:INT-999'],
    ['a reason to govern', 'Governance: why'],
    ['a folded value', 'Intent-ID:\n INT-999'],
    ['prose and a trailer', 'words\nIntent-ID: INT-001'],
  ])('a message with %s takes the long way', async (_, block) => {
    await using repo = await copyWithSlowPathTrap(template())
    await repo.play('echo x >>src/a.ts')
    const { stderr } = await repo.run('git', ['commit', '-qaF', '-'], { input: `w\n\n${block}\n` })
    expect(stderr).toContain('commit-msg takes the long way')
  })

  test('a path in other scripts than ours is as fast as any', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    await repo.write('src/ünï/日本.ts', 'x\n')
    expect(await repo.play('git add src; git commit -qm w')).toMatchObject({ code: 0, stderr: '' })
  })

  test.each<[file: string, more?: string]>([
    ['lib/.gitattributes'],
    ['lib/.gitattributes', 'git add lib'],
    ['lib/.gitattributes', 'git add lib; rm lib/.gitattributes'],
    ['lib/.gitattributes', 'git add lib/.gitattributes; git -c core.hooksPath= commit -qm a lib/.gitattributes'],
    ['.gitattributes'],
    ['.gitattributes', 'git add .gitattributes; git -c core.hooksPath= commit -qm a .gitattributes'],
    ['.gitattributes', 'export GIT_WORK_TREE="$PWD"'],
    [
      '.gitattributes',
      'git add -f .gitattributes; export GIT_ATTR_SOURCE=$(git write-tree); git rm -q --cached .gitattributes',
    ],
    ['.git/info/attributes'],
    ['.git/info/attributes', 'touch -d "-1 year" .git/info/attributes'],
    ['.git/info/attributes', `printf '%s' "$(cat .git/info/attributes)" >../x; mv ../x .git/info/attributes`],
    [
      '.git/info/attributes',
      'mkdir ../i; mv .git/info/attributes ../i/; ln -s ../../../i/attributes .git/info/attributes',
    ],
  ])('the mark of the compiled scope in %s opens nothing (%s)', async (file, more = ':') => {
    await using repo = await copyWithSlowPathTrap(template())
    const [, , , mark = ''] = (await repo.read('.git/kotef/compiled/active')).replaceAll('# ', '').split('\n')
    await repo.write(file, `# mine\n* in-${mark} end-${mark}\n`)
    const { stderr } = await repo.play(`echo x >>lib/x.ts; git add lib/x.ts; ${more}; git commit -qm w`)
    expect(stderr).toContain('pre-commit takes the long way')
  })

  test('other attributes of the repository do not close it', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    const attributes = '* text=auto\n*.ts diff=typescript\n'
    for (const path of ['.gitattributes', '.git/info/attributes']) await repo.write(path, attributes)
    await repo.play('git add .gitattributes; git -c core.hooksPath= commit -qm attributes')
    const { code, calls } = await runTracingGit(repo, 'echo x >>src/a.ts; git commit -qam w')
    expect({ code, calls }).toEqual({ code: 0, calls: ['commit', 'diff-index'] })
  })

  test('a path that differs in case is another path, also where git is told to overlook that', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    const stage = 'git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:lib/x.ts),SRC/a.ts'
    const { stderr } = await repo.play(`git config core.ignoreCase true; ${stage}; git commit -qm w`)
    expect(stderr).toContain('pre-commit takes the long way')
  })

  test("what the user's own hook stages after us is judged as well", async () => {
    await using repo = await copyGoverned(template())
    const hook = await repo.read('.git/hooks/pre-commit')
    await repo.write('.git/hooks/pre-commit', `${hook}echo x >>lib/x.ts; git add lib\n`, 0o755)
    await repo.play('echo x >>src/a.ts')
    expect((await repo.run('git', ['commit', '-qam', 'w'])).stderr).toContain('lib/x.ts is outside intent INT-001')
  })

  test('what an earlier attempt was passed for says nothing of the next one', async () => {
    await using repo = await copyGoverned(template())
    // The attempt is fine and comes to nothing; then HEAD goes back, which writes no index, and more is staged.
    await repo.play(`echo x >>docs/b.md; git commit -qam d -m 'Intent-ID: INT-002'; echo x >>src/a.ts; git add src`)
    const hook = await repo.read('.git/hooks/pre-commit')
    await repo.write('.git/hooks/pre-commit', `${hook}exit 1\n`, 0o755)
    expect((await repo.run('git', ['commit', '-qm', 'w'])).code).toBe(1)
    await repo.write('.git/hooks/pre-commit', hook, 0o755)
    await repo.play('git update-ref HEAD HEAD^')
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w', '-m', 'Intent-ID: INT-001'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('docs/b.md is outside intent INT-001'),
    })
  })

  test('a submodule outside is seen, whatever is configured to ignore it', async () => {
    await using repo = await copyWithSlowPathTrap(template())
    await repo.write('.gitmodules', '[submodule "x"]\n\tpath = lib/sub\n\turl = x\n\tignore = all\n')
    await repo.git('add', '.gitmodules')
    await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'modules')
    const oid = (await repo.git('rev-parse', 'HEAD')).trim()
    await repo.git('update-index', '--add', '--cacheinfo', `160000,${oid},lib/sub`)
    expect((await repo.run('git', ['commit', '-qm', 'w'])).stderr).toContain('pre-commit takes the long way')
  })
})

// Those that are here; `.ci/run` brings BusyBox.
const SHELLS = ['dash', 'bash', 'bash --posix', 'busybox sh', 'sh -e'].filter(
  it => spawnSync(`${it} -c :`, { shell: true }).status === 0,
)

describe.each(SHELLS)('under %s', shell => {
  /** A copy whose hooks are run by that shell; each shell here is one that a system may call `sh`. */
  async function hookedBy(copy: Promise<Repo>): Promise<Repo> {
    const repo = await copy
    for (const hook of GIT_HOOKS) {
      await repo.write(`.git/${hook}.script`, await repo.read(`.git/hooks/${hook}`))
      await repo.write(`.git/hooks/${hook}`, `#!/bin/sh\nexec ${shell} .git/${hook}.script "$@"\n`, 0o755)
    }
    return repo
  }

  test('a commit that is fine passes without Node, and one that is not is refused', async () => {
    await using repo = await hookedBy(copyGoverned(template()))
    const bundle = await repo.read('.git/kotef/hook.cjs')
    await repo.write('.git/kotef/hook.cjs', 'console.error("the long way")\n')
    await repo.play('echo x >>src/a.ts')
    expect(await repo.run('git', ['commit', '-qam', 'w', '-m', 'body'])).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('body\n\nIntent-ID: INT-001\n\n')
    await repo.write('.git/kotef/hook.cjs', bundle)
    await repo.play('echo x >>lib/x.ts')
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('lib/x.ts is outside') })
  })

  test('an amendment, a clean merge and a push that deletes start no Node, and what came of them is told', async () => {
    await using repo = await hookedBy(copyWithSlowPathTrap(template()))
    const commands = `git init -q --bare ../there; git push -q --no-verify ../there main:main main:old
      git switch -qc side; echo s >>src/b.ts; git commit -qam side; git switch -q main
      echo m >>src/a.ts; git commit -qam main; echo n >>src/a.ts; git commit -qam main --amend
      git merge -q --no-ff side; git push -q ../there :old`
    expect(await repo.run('sh', ['-ec', commands])).toEqual({ code: 0, stdout: '', stderr: '' })
    const reported = (await repo.read('.git/kotef/queue')).replace(/[0-9a-f]{40}/g, 'oid')
    expect(reported).toMatch(/commit\ncheckout\ncommit\ncommit\nrewrite oid oid\nmerge\n$/)
  })

  test('a merge and a push that bring what no intent owns are stopped', async () => {
    await using repo = await hookedBy(copyGoverned(template()))
    const commands = `git init -q --bare ../there; git push -q --no-verify ../there main
      git switch -qc side; echo l >>lib/x.ts; git commit -qanm stray; git push ../there side`
    const stopped = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })
    expect(await repo.run('sh', ['-ec', commands])).toMatchObject(stopped('kotef: push stopped, 1 problem'))
    await repo.write('../evil', '#!/bin/sh\necho evil >>old/c; git add old\n', 0o755)
    const script = await repo.read('.git/hooks/pre-merge-commit')
    await repo.write('.git/hooks/pre-merge-commit', script.replace('\n', '\n../evil\n'))
    const merge = 'git switch -q main; echo m >>src/a.ts; git commit -qam main; git merge -q --no-ff side'
    expect(await repo.run('sh', ['-ec', merge])).toMatchObject(stopped('kotef: merge stopped, 1 problem'))
  })

  test.each([
    ['open to a group', 'chmod 660 active'],
    ['for another worktree', 'sed -i "2s/.*/# \\//" active'],
    [
      'older than a registry in its place',
      'cp -p ../../../.orchestration/active_intents.yaml ../r; mv ../r ../../../.orchestration/active_intents.yaml',
    ],
    ['older than where HEAD was', 'touch -d "+1 minute" ../../ORIG_HEAD'],
    ['cut off', 'head -n 20 active >../cut; cat ../cut >active'],
  ])('a compiled scope that is %s takes the long way', async (_, damage) => {
    await using repo = await hookedBy(copyWithSlowPathTrap(template()))
    await repo.play(`echo x >>src/a.ts; cd .git/kotef/compiled; ${damage}`)
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'pre-commit takes the long way\n' })
  })
})
