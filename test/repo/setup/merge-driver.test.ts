import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const line = (id: string) => `  - { id: ${id}, name: ${id}, owned_scope: ["${id}/**"] }`
const add = (id: string) => `echo '${line(id)}' >>${REGISTRY}; git commit -qam ${id} -m 'Governance: why'`

/** Branches `w` and `v`, each with an intent at the end of the list; `w` is checked out. */
const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await runCommands(repo, `git switch -qc v; ${add('INT-008')}; git switch -qc w main; ${add('INT-009')}`)
  return repo
})

async function expectBoth(repo: Repo, root = '.'): Promise<void> {
  const { stdout } = await repo.run('tail', ['-n', '2', `${root}/${REGISTRY}`])
  expect(stdout).toBe(`${line('INT-009')}\n${line('INT-008')}\n`)
}

test('after init two branches that add an intent merge, and hooks and CI find nothing (team S6)', async () => {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, 'git merge --no-edit -q v')).toMatchObject({ code: 0, stderr: '' })
  await expectBoth(repo)
  expect(await verifyFindings(repo, 'v..w')).toEqual([`review governance-changed ${REGISTRY} in INT-009`])
})

test('so in a linked worktree, below a folder, and for a program without a PATH to Node', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, 'git switch -q main; git worktree add -q ../linked w; mkdir ../linked/deep ../bin')
  await runCommands(repo, 'for it in git sh cat ls rm mkdir; do ln -s "$(command -v $it)" ../bin/$it; done')
  const path = { PATH: `${repo.base}/bin` }
  const merge = await repo.run('git', ['merge', '--no-edit', '-q', 'v'], { cwd: `${repo.base}/linked/deep`, env: path })
  expect(merge).toMatchObject({ code: 0 })
  await expectBoth(repo, '../linked')
})

test('a cherry-pick, a stash and a revert use it too', async () => {
  await using repo = await copyGoverned(template())
  expect(await runCommands(repo, 'git cherry-pick v; git revert --no-edit HEAD~1 >../out')).toMatchObject({ code: 0 })
  expect(await repo.read(REGISTRY)).toMatch(/INT-005[^\n]*\n[^\n]*INT-008[^\n]*\n$/)
  await runCommands(repo, `echo '${line('INT-010')}' >>${REGISTRY}; git stash -q; git switch -q main; git stash pop -q`)
  expect(await repo.read(REGISTRY)).toMatch(/INT-005[^\n]*\n[^\n]*INT-010[^\n]*\n$/)
})

test.each([
  ['is damaged', 'echo "exit(" >.git/kotef/policy.cjs'],
  ['is gone', 'rm -r .git/kotef'],
  ['is switched off', 'export KOTEF=0'],
])('a driver that %s leaves the merge of the lines to git', async (_, damage) => {
  await using repo = await copyGoverned(template())
  const { code } = await runCommands(repo, `${damage}; git merge -q v`)
  expect(code).toBe(1)
  expect(await repo.read(REGISTRY)).toContain(`<<<<<<<`)
  expect(await repo.read(REGISTRY)).toContain(`${line('INT-009')}\n=======\n${line('INT-008')}\n`)
})

test('doctor names a clone without it and sets it up, and uninit removes it with its file', async () => {
  await using repo = await copyGoverned(template())
  await repo.write('.git/info/attributes', '*.png binary\n')
  expect((await repo.kotef('doctor')).stdout).toContain('its merge driver is not set up in this clone')
  expect((await repo.kotef('doctor', '--fix')).stdout).toContain('It was set up.')
  expect(await repo.read('.git/info/attributes')).toContain(`*.png binary\n/${REGISTRY} merge=kotef-registry\n`)
  expect((await repo.kotef('doctor')).stdout).not.toContain('merge driver')
  expect(await runCliOrThrow(repo, 'uninit')).toContain('merge.kotef-registry')
  expect(await repo.read('.git/info/attributes')).toBe('*.png binary\n')
  expect(await repo.read('.git/config')).not.toContain('kotef')
})
