import { expect, test } from 'vitest'
import { repoWithHistory, runInCall, runInShell, reportedOf } from '../../rig/agent-calls.ts'
import { ledgerRecords } from '../../rig/agent-hooks.ts'
import { governedRepo, flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { runCli } from '../../rig/command-line.ts'
import { compileRepo, hookedRepo } from '../../rig/hooked-repo.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'

test('status tells a problem once', async () => {
  await using repo = await governedRepo()
  await repo.write('.orchestration/active_intents.yaml', 'active_intents: [')
  const { problems } = (await runCli(repo, 'status')).json as { problems: string[] }
  expect(problems).toHaveLength(1)
})

const REGISTRY = '.orchestration/active_intents.yaml'
test('a registry that can not be read by now stops a commit', async () => {
  await using repo = await hookedRepo()
  await compileRepo(repo)
  await repo.run('sh', ['-c', `chmod 000 ${REGISTRY}; echo x >>src/a.ts; git add src`])
  expect((await repo.run('sh', ['-c', `exec ${AS_UNPRIVILEGED}git commit --quiet -m w`])).code).toBe(1)
})

test('a damaged registry accuses nobody', async () => {
  await using repo = await governedRepo()
  await repo.run('sed', ['-i', 's/src/../', REGISTRY])
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'a\n')
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  expect(events.filter(it => it.event === 'violation')).toEqual([])
})

const AWAY = `mv ${REGISTRY} ../away`

test.each([
  ['is moved away', AWAY],
  ['is left out by a sparse checkout', 'git sparse-checkout set src; mkdir -p lib'],
])("while the registry %s, HEAD's says what is out of scope", async (_, command) => {
  await using repo = await repoWithHistory()
  await using _daemon = await startWatching(repo)
  await runInCall(repo, `${command}; echo evil > lib/tax`)
  expect(reportedOf(await flushedRecords(repo), 'lib/tax')).toEqual(['written: window', 'in-scope'])
})

test('and so it does where nobody watches', async () => {
  await using repo = await repoWithHistory()
  await runInCall(repo, `${AWAY}; echo evil > lib/tax`)
  expect(reportedOf(await ledgerRecords(repo), 'lib/tax')).toEqual(['written: window', 'in-scope'])
})

test('while the registry is damaged, the policy counts that the daemon read last', async () => {
  await using repo = await repoWithHistory()
  await using _daemon = await startWatching(repo)
  await runInCall(repo, 'echo more > src/a')
  await flushedRecords(repo)
  await runInCall(repo, `echo [ >> ${REGISTRY}; echo evil > lib/tax`)
  expect(reportedOf(await flushedRecords(repo), 'lib/tax')).toEqual(['written: window', 'in-scope'])
})

test('on a branch from before the adoption no policy counts, whatever the last branch had', async () => {
  await using repo = await repoWithHistory()
  await runInShell(repo, 'git branch pages $(git commit-tree -m pages $(git mktree </dev/null))')
  await using _daemon = await startWatching(repo)
  await runInCall(repo, 'echo more > src/a')
  await flushedRecords(repo)
  await runInCall(repo, 'git switch -qf pages; echo 1 > page')
  expect(reportedOf(await flushedRecords(repo), 'page')).toEqual(['written: window'])
})
