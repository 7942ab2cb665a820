import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

/** Runs a script of shell lines, of which each has to succeed, and expects a clean worktree after it. */
async function runDay(repo: Repo, script: string): Promise<void> {
  const { code, stdout, stderr } = await repo.run('sh', ['-exc', script])
  expect({ code, said: `${stdout}${stderr}` }).toMatchObject({ code: 0 })
  expect(await repo.git('status', '--porcelain')).toBe('')
}

const intentsIn = async (repo: Repo, range: string) =>
  (await repo.git('log', '--reverse', '--format=%s:%(trailers:key=Intent-ID,valueonly,separator=%x2C)', range))
    .trim()
    .split('\n')

test('the same intent is started on two branches, and they merge, rebase and are picked (solo A5)', async () => {
  await using repo = await hookedRepo({ start: null })
  await runDay(repo, 'git branch one; git branch two; git switch -q one')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  await runDay(repo, 'echo 1 >>src/a.ts; git commit -qam first; git switch -q two')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  await runDay(repo, 'echo 2 >>src/b.ts; git commit -qam second; git merge -q --no-edit one; git switch -q main')
  await runDay(repo, 'git cherry-pick one; git switch -qc three one; echo 3 >src/c.ts; git add .; git commit -qm third')
  await runDay(repo, 'git rebase -q main')
  expect(await intentsIn(repo, 'three')).toEqual(expect.arrayContaining(['first:INT-001', 'third:INT-001']))
})

test('a merge that brought the first work on an intent is reverted, and the work goes on (solo A3)', async () => {
  await using repo = await hookedRepo({ start: null })
  await repo.git('switch', '-qc', 'work')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  await runDay(repo, 'echo 1 >>src/a.ts; git commit -qam work; git switch -q main; git merge -q --no-ff --no-edit work')
  await runDay(repo, 'git revert --no-edit -m 1 HEAD; echo 2 >>src/a.ts; git commit -qam again')
  expect((await intentsIn(repo, 'HEAD~1..HEAD'))[0]).toBe('again:INT-001')
})

test('a switch, a stash, a checkout of all files and a hard reset leave the work on its intent (solo A6)', async () => {
  await using repo = await hookedRepo()
  await repo.write('src/a.ts', 'mine\n')
  await runDay(repo, 'git stash -q; git switch -qc other; git stash pop -q; git commit -qam popped')
  await runDay(
    repo,
    'echo x >>src/a.ts; git checkout -q .; git reset -q --hard; echo y >>src/a.ts; git commit -qam later',
  )
  expect(await intentsIn(repo, 'main..other')).toEqual(['popped:INT-001', 'later:INT-001'])
})

test.each<[string, readonly string[]]>([
  ['in the list', []],
  ['in files of their own', ['intent', 'split', '--commit']],
])('two branches add, start and complete an intent %s, and merge, and rebase', async (_, prepare) => {
  await using repo = await hookedRepo({ start: null })
  if (prepare.length > 0) await runCliOrThrow(repo, ...prepare)
  await repo.git('branch', 'base')
  for (const [branch, id, scope] of [
    ['one', 'INT-101', 'one/**'],
    ['two', 'INT-202', 'two/**'],
  ] as const) {
    await repo.git('switch', '-qc', branch, 'base')
    await runCliOrThrow(repo, 'intent', 'add', '--id', id, '--name', branch, '--scope', scope, '--commit')
    await runCliOrThrow(repo, 'intent', 'start', id)
    await runDay(repo, `mkdir ${branch}; echo 1 >${branch}/a; git add .; git commit -qm ${branch}`)
    await runCliOrThrow(repo, 'intent', 'complete', id, '--attest', '--commit')
  }
  await runDay(repo, 'git switch -qc merged base; git merge -q --no-edit one; git merge -q --no-ff --no-edit two')
  await runCliOrThrow(repo, 'verify', 'base..merged')
  await runDay(repo, 'git switch -q two; git rebase -q one')
  await runCliOrThrow(repo, 'verify', 'base..two')
  expect(await intentsIn(repo, 'base..two')).toEqual(expect.arrayContaining(['one:INT-101', 'two:INT-202']))
  for (const branch of ['merged', 'two']) {
    await repo.git('switch', '-q', branch)
    const { json } = await runCli(repo, 'intent', 'list')
    expect(json).toMatchObject({
      intents: expect.arrayContaining([
        expect.objectContaining({ id: 'INT-101', status: 'COMPLETED' }),
        expect.objectContaining({ id: 'INT-202', status: 'COMPLETED' }),
      ]) as unknown,
    })
  }
})
