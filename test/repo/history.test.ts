import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const judge = (repo: Repo) => repo.run('sh', [join(repositoryRoot, 'test/tidy/history.sh')])
const commit = (repo: Repo, ...paragraphs: string[]) =>
  repo.git('commit', '--quiet', '--allow-empty', ...paragraphs.flatMap(it => ['--message', it]))

async function adopted(): Promise<Repo> {
  const repo = await temporaryRepo({ 'a.txt': 'before all this' })
  await repo.write(
    '.orchestration/active_intents.yaml',
    'active_intents:\n  - id: INT-1\n  - { name: x, id: "INT-2" }\n',
  )
  await repo.git('add', '--all')
  await commit(repo, 'adopt', 'Governance: adopt')
  return repo
}

test('a history whose commits since the adoption all name an intent or a reason is fine', async () => {
  await using repo = await adopted()
  await commit(repo, 'one', 'Intent-ID: INT-1')
  await commit(repo, 'two', 'Intent-ID: INT-1\nIntent-ID: INT-2')
  await repo.git('switch', '--quiet', '--create', 'side', 'HEAD~1')
  await commit(repo, 'three', 'Governance: because')
  await repo.git('merge', '--quiet', '--no-ff', '--message', 'a merge needs none', 'main')
  expect(await judge(repo)).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each([
  ['no trailer', [], 'bad: no Intent-ID and no Governance'],
  ['an id that no registry knows', ['Intent-ID: INT-11'], 'bad: INT-11 is not in the registry'],
  [
    'a trailer that is not in the last paragraph',
    ['Intent-ID: INT-1', 'And more.'],
    'bad: no Intent-ID and no Governance',
  ],
])('a commit with %s is found', async (_, paragraphs, found) => {
  await using repo = await adopted()
  await commit(repo, 'bad', ...paragraphs)
  await commit(repo, 'good', 'Intent-ID: INT-1')
  const { code, stdout } = await judge(repo)
  expect([code, stdout.replace(/^\w+ /, '')]).toEqual([1, `${found}\n`])
})

test('a history that was never adopted, or that is cut off, cannot be evaluated', async () => {
  await using fresh = await temporaryRepo({ 'a.txt': 'a' })
  expect((await judge(fresh)).code).toBe(3)
  await using repo = await adopted()
  await repo.git('clone', '--quiet', '--depth=1', `file://${repo.root}`, '../shallow')
  const cut = await repo.run('sh', [join(repositoryRoot, 'test/tidy/history.sh')], { cwd: join(repo.base, 'shallow') })
  expect([cut.code, cut.stderr]).toEqual([3, expect.stringContaining('shallow')])
})
