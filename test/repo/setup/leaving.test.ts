import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const template = fixture(hookedRepo)

const LEAVE = 'git rm -rq .orchestration .sdd .intentignore; echo x >>lib/x.ts; git add lib'

test('uninit stops the daemon and ends the sessions; --purge removes the refs, for good (team S8)', async () => {
  await using repo = await copyGoverned(template())
  await runCliOrThrow(repo, 'watch', '--detach')
  await runCommands(repo, 'echo a >>src/a.ts; git commit -qam a')
  await runCliOrThrow(repo, 'finalise')
  const kept = await runCliOrThrow(repo, 'uninit')
  expect(kept).toMatch(/^Stopped the daemon \(pid \d+\)\.\nEnded 1 session\.$/m)
  expect(kept).toContain('These refs stay; `kotef uninit --purge` removes them:\n  refs/notes/kotef')
  expect(existsSync(/for everybody: (.*)$/m.exec(kept)?.[1] ?? '')).toBe(true)
  const { text } = { text: await runCliOrThrow(repo, 'uninit', '--purge') }
  expect(text).toContain('Removed these refs of this clone:\n  refs/notes/kotef')
  expect(await repo.git('for-each-ref', 'refs/kotef', 'refs/notes')).toBe('')
  expect([existsSync(join(repo.root, '.git/kotef')), existsSync(join(repo.root, '.git/worktrees'))]).toEqual([
    false,
    false,
  ])
})

const mapped = fixture(async () => {
  const repo = await hookedRepo()
  await runCommands(repo, 'echo "export const pay = 1" >src/pay.ts; git add src; git commit -qm pay')
  await runCliOrThrow(repo, 'map')
  expect(await repo.read('.orchestration/intent_map.md')).toContain('src/pay.ts')
  return repo
})

test.each([
  ['only kotef wrote', '', true],
  ['has text of a person around the block', 'echo note >>.orchestration/intent_map.md', false],
  ['has text of a person in the block', "sed -i 's/^<!-- kotef:end/note\\n&/' .orchestration/intent_map.md", false],
])('--purge removes a map that %s or keeps it: %j', async (_, edit, isRemoved) => {
  await using repo = await copyGoverned(mapped())
  await runCommands(repo, edit || ':')
  const text = await runCliOrThrow(repo, 'uninit', '--purge')
  expect(existsSync(join(repo.root, '.orchestration/intent_map.md'))).toBe(!isRemoved)
  expect(text.includes('.orchestration/intent_map.md')).toBe(true)
})

test('uninit stops the daemons of all worktrees (team S8)', async () => {
  await using repo = await copyGoverned(template())
  await repo.git('worktree', 'add', '-q', '../other')
  const other = { root: join(repo.base, 'other'), env: () => repo.env() }
  await runCliOrThrow(other, 'watch', '--detach')
  expect(await runCliOrThrow(repo, 'uninit')).toMatch(/^Stopped the daemon/)
  expect(await runCliOrThrow(other, 'status')).toContain('daemon   not running')
})

test('the commit that removes the registry may contain anything with Governance: (team S8)', async () => {
  await using repo = await copyGoverned(template())
  const { code, stderr } = await repo.play(`${LEAVE}; git commit -qm 'remove kotef'`)
  expect([code, stderr]).toEqual([1, expect.stringContaining('Governance: why')])
  await runCommands(repo, `git commit -qm 'remove kotef' -m 'Governance: we leave'`)
  expect(await verifyFindings(repo, 'HEAD~1..HEAD')).not.toContainEqual(expect.stringMatching(/^(block|exit)/))
})

test('after it, hooks that are still there let everything pass, with one line (team S8)', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${LEAVE}; git commit -qm 'remove kotef' -m 'Governance: we leave'`)
  await runCommands(repo, 'git init -q --bare ../there; git remote add origin ../there; git push -q origin main')
  const { code, stderr } = await repo.play('echo y >>lib/x.ts; git commit -qam later && git push -q origin main')
  expect([code, stderr.trim().split('\n')]).toEqual([
    0,
    [expect.stringMatching(/took kotef out of this branch.*uninit`$/)],
  ])
})

test('a commit that removes the registry without a reason frees nobody (team S8)', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${LEAVE}; git commit -qnm 'remove kotef'`)
  const { code, stderr } = await repo.play('echo y >>lib/x.ts; git commit -qam later')
  expect([code, stderr]).toEqual([1, expect.stringContaining("it can't be judged")])
})
