import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'

const template = fixture(hookedRepo)

const REGISTRY = '.orchestration/active_intents.yaml'

describe('when the registry changes, a commit', () => {
  test('a pattern with `..` stops every commit, with the line that is wrong', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `sed -i 's/"docs/"..\\/docs/' ${REGISTRY}; echo x >>src/a.ts; git add src`])
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect(code).toBe(1)
    expect(stderr).toContain(`${REGISTRY}:4: expected a glob without \`..\` in`)
  })

  test.each([
    ['missing', `rm ${REGISTRY}`, 'There is no .orchestration/active_intents.yaml'],
    ['a directory', `rm ${REGISTRY}; mkdir ${REGISTRY}`, 'it is a directory'],
    ['not YAML', `echo '{' >${REGISTRY}`, 'has'],
  ])('a registry that is %s stops it, and nothing is lost', async (_, commands, reason) => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `${commands}; echo x >>src/a.ts; git add src`])
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
    expect(stderr).not.toMatch(/^ +at /m)
    expect(await repo.git('diff', '--cached', '--name-only')).toBe('src/a.ts\n')
  })

  test('a registry that was repaired by hand is taken up at once', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `sed -i 's/IN_PROGRESS, owned_scope: ."src/BLOCKED, owned_scope: ["src/' ${REGISTRY}`])
    await repo.run('sh', ['-c', 'echo x >>src/a.ts; git add src'])
    expect((await repo.run('git', ['commit', '-qm', 'w'])).code).toBe(1)
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
    await repo.git('commit', '-qm', 'w')
  })

  test('a scope that a governance commit narrows holds for the next commit', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', `sed -i 's/"src/"src\\/only/' ${REGISTRY}`])
    await repo.git('commit', '-qm', 'narrow', '-m', 'Governance: why', REGISTRY)
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    expect((await repo.run('git', ['commit', '-qam', 'w'])).stderr).toContain('src/a.ts is outside intent INT-001')
  })

  test('so does one that is committed from the index, while the worktree says otherwise', async () => {
    await using repo = await copyGoverned(template())
    const narrow = (await repo.read(REGISTRY)).replace('src/**', 'src/only/**')
    const { stdout } = await repo.run('git', ['hash-object', '-w', '--stdin'], { input: narrow })
    await repo.git('update-index', '--cacheinfo', `100644,${stdout.trim()},${REGISTRY}`)
    await repo.git('commit', '-qm', 'narrow', '-m', 'Governance: why')
    await repo.run('sh', ['-c', 'echo x >>src/a.ts; git add src'])
    expect((await repo.run('git', ['commit', '-qm', 'w'])).stderr).toContain('src/a.ts is outside intent INT-001')
  })

  test('before the adoption it is judged by the worktree; the adoption needs a reason', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('update-ref', '-d', 'HEAD')
    expect((await repo.run('git', ['commit', '-qm', 'all'])).stderr).toContain('needs the trailer `Governance:`')
    await repo.git('reset', '-q')
    await repo.git('add', 'src')
    await repo.git('commit', '-qm', 'first')
    await repo.git('add', 'lib')
    expect((await repo.run('git', ['commit', '-qm', 'lib'])).stderr).toContain('lib/x.ts is outside intent INT-001')
    await repo.git('add', '-A')
    await repo.git('commit', '-qm', 'adopt', '-m', 'Governance: adopt kotef')
  })

  test('a branch from before the adoption is not judged, and one that lost the registry is', async () => {
    await using repo = await copyGoverned(template())
    await repo.git('stash', '-q')
    await repo.git('switch', '-qc', 'old', 'HEAD~1')
    await repo.run('sh', ['-c', 'echo x >>lib/x.ts'])
    await repo.git('commit', '-qam', 'w')
    await repo.git('switch', '-q', 'main')
    await repo.git('rm', '-rq', '.orchestration')
    expect((await repo.run('git', ['commit', '-qm', 'w'])).stderr).toContain('active_intents.yaml is removed, and ')
    await repo.git('rm', '-rq', '.sdd', '.intentignore')
    expect((await repo.run('git', ['commit', '-qm', 'w'])).stderr).toContain('active_intents.yaml was removed')
  })

  test('the first commit of a branch that has no history and no registry is free', async () => {
    await using repo = await copyGoverned(template())
    const commands = 'git checkout -q --orphan pages; git rm -rqf .; echo hi >page; git add page; git commit -qm pages'
    expect(await repo.run('sh', ['-ec', commands])).toMatchObject({ code: 0, stderr: '' })
  })

  test('one that a sparse checkout leaves out stops a commit, and is not written anew', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-ec', 'git status; git sparse-checkout set --cone src'])
    const { code, stderr } = await repo.run('sh', ['-ec', 'echo x >>src/a.ts; git commit -qam w'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('`git sparse-checkout add .orchestration .sdd`')])
    expect((await repo.kotef('init', '--yes')).code).toBe(3)
    await repo.git('sparse-checkout', 'disable')
    expect(await repo.git('status', '--porcelain')).toBe(' M src/a.ts\n')
  })
})
