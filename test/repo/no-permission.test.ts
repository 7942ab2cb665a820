import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { AS_UNPRIVILEGED } from '../rig/file-permissions.ts'
import type { Repo } from '../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

const VERBS = [
  'intent show INT-001',
  'intent add --name b --scope b/**',
  'intent start INT-001',
  'scope src/a.ts',
  'init --yes',
]

/** A repository whose registry was changed, and can then be read by nobody. */
async function locked(): Promise<Repo> {
  const repo = await hookedRepo()
  await repo.run('sh', ['-c', `echo '# mine' >>${REGISTRY}; echo x >>src/a.ts; git add src`])
  await chmod(join(repo.root, REGISTRY), 0o000)
  return repo
}

const obeying = (repo: Repo, command: string) => repo.run('sh', ['-c', `exec ${AS_UNPRIVILEGED}${command}`])

test('a registry that nobody may read is refused by every verb, and stays as it is', async () => {
  await using repo = await locked()
  const said = await Promise.all(VERBS.map(verb => obeying(repo, `kotef ${verb} --json`)))
  expect(said.map(it => [it.code, JSON.parse(it.stdout)])).toMatchObject(
    VERBS.map(() => [3, { error: { code: 'registry-unreadable', message: expect.stringContaining('no permission') } }]),
  )
  expect(await readFile(join(repo.root, REGISTRY), 'utf8')).toMatch(/^version: 1\n[^]*# mine\n$/)
})

test('it stops a commit, with the reason, and nothing is lost', async () => {
  await using repo = await locked()
  const before = await repo.git('ls-files', '--stage')
  const { code, stderr } = await obeying(repo, 'git commit --quiet -m w')
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${REGISTRY} can't be read: you have no permission.`),
  })
  expect(stderr).not.toMatch(/^\s+at /m)
  expect([await repo.git('ls-files', '--stage'), await repo.git('status', '--porcelain')]).toEqual([
    before,
    ` M ${REGISTRY}\nM  src/a.ts\n`,
  ])
})
