import { expect, test } from 'vitest'
import { runInit } from '../../rig/hooked-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const FILES = { 'package.json': '{}\n', 'package-lock.json': '{}\n', 'api/go.sum': '', 'src/a.ts': 'a\n' }
const REGISTRY = 'active_intents: [{ id: INT-001, name: a, status: IN_PROGRESS, owned_scope: ["src/**"] }]\n'

test('without a question too, lock files go with any work from the adoption on (solo N10)', async () => {
  await using repo = await temporaryRepo(FILES)
  expect(await runInit(repo)).toContain('package-lock.json goes with the work for any intent (`rides`).')
  await repo.write('.orchestration/active_intents.yaml', REGISTRY)
  await repo.git('add', '--all')
  await repo.git('commit', '-qm', 'adopt kotef', '-m', 'Governance: adopt kotef')
  await repo.write('package-lock.json', '{"lockfileVersion":3}\n')
  await repo.write('src/a.ts', 'b\n')
  await repo.git('commit', '-qam', 'work', '-m', 'Intent-ID: INT-001')
  expect((await repo.kotef('verify', 'HEAD^..HEAD')).code).toBe(0)
})

test('a set-up that is taken back before the adoption leaves nothing, and an own rider stays (solo P8)', async () => {
  await using repo = await temporaryRepo(FILES)
  await runInit(repo)
  expect((await repo.kotef('uninit', '--purge')).code).toBe(0)
  expect(await repo.git('status', '--porcelain')).toBe('')
  await runInit(repo)
  const config = await repo.read('.orchestration/config.yaml')
  await repo.write(
    '.orchestration/config.yaml',
    config.replace('  - package-lock.json', '  - package-lock.json\n  - dist/**'),
  )
  expect((await repo.kotef('uninit', '--purge')).stdout).toContain('.orchestration/config.yaml')
})
