import { expect, test } from 'vitest'
import { governedRepo, ledgerOf, watching } from '../../rig/governed.ts'
import { say } from '../../rig/command-line.ts'
import { compiled, hookedRepo } from '../../rig/hooked.ts'
import { OBEYING } from '../../rig/obeying.ts'

test('status tells a problem once', async () => {
  await using repo = await governedRepo()
  await repo.write('.orchestration/active_intents.yaml', 'active_intents: [')
  const { problems } = (await say(repo, 'status')).json as { problems: string[] }
  expect(problems).toHaveLength(1)
})

const REGISTRY = '.orchestration/active_intents.yaml'
test('a registry that can not be read by now stops a commit', async () => {
  await using repo = await hookedRepo()
  await compiled(repo)
  await repo.run('sh', ['-c', `chmod 000 ${REGISTRY}; echo x >>src/a.ts; git add src`])
  expect((await repo.run('sh', ['-c', `exec ${OBEYING}git commit --quiet -m w`])).code).toBe(1)
})

test('a damaged registry accuses nobody', async () => {
  await using repo = await governedRepo()
  await repo.run('sed', ['-i', 's/src/../', REGISTRY])
  await using _daemon = await watching(repo)
  await repo.write('src/a.ts', 'a\n')
  const events = (await ledgerOf(repo)).map(it => it.metadata['dev.kotef'])
  expect(events.filter(it => it.event === 'violation')).toEqual([])
})
