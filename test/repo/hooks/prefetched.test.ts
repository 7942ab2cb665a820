import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { PREFETCHED } from '../../../src/shells/git-hooks/gather-here.ts'
import { POLICY_FILES } from '../../../src/core/base/governance-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { runTracingGit } from '../../rig/slow-path.ts'
import { repositoryRoot } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

const play = (repo: Repo, commands: string) => repo.run('sh', ['-c', commands])

test('the shell asks git the very questions that Node would ask, in the same order', async () => {
  const text = (await readFile(join(repositoryRoot, 'hooks/common.sh'), 'utf8')).replaceAll(/ *\\\n */g, ' ')
  const places = PREFETCHED.map(args => text.indexOf(`  git ${args.join(' ')} &&`))
  expect(places.filter(it => it < 0)).toEqual([])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the shell compares the very policy files that the policy is compiled from, in the same order', async () => {
  const text = await readFile(join(repositoryRoot, 'hooks/common.sh'), 'utf8')
  const [, registry = ''] = /^ {2}registry=(.+)$/m.exec(text) ?? []
  const [, files = ''] = /^ {2}for source in (.+); do$/m.exec(text) ?? []
  expect(files.replace('"$registry"', registry).split(' ')).toEqual([...POLICY_FILES, '.orchestration/intents/*.yaml'])
})

test('so a refusal asks git no more than that, however many paths it names', async () => {
  await using repo = await copyGoverned(template())
  await play(repo, 'for n in 1 2 3; do echo x >"lib/$n 0"; done; echo x >0; rm lib/x.ts; git add -A')
  // A commit that has an author of another time than now may be an amendment, which git is asked about.
  const env = { GIT_AUTHOR_DATE: `@${Math.floor(Date.now() / 1000)} +0000` }
  const { code, stderr, calls } = await runTracingGit(repo, 'git commit -qm w', env)
  // Whether a stray change is taken back, the last commits show, and whether there was a registry before it.
  const once = ['log', 'ls-tree']
  expect({ code, calls }).toEqual({ code: 1, calls: ['commit', 'diff-index', 'ls-tree', 'diff-index', ...once] })
  expect(stderr.match(/(?<= block {2}).*(?= is outside)/g)).toEqual(['0', 'lib/1 0', 'lib/2 0', 'lib/3 0', 'lib/x.ts'])
})

test('where the shell gets no answer Node asks again, and speaks', async () => {
  await using repo = await copyGoverned(template())
  await play(repo, 'git update-ref -d HEAD; git rm -rq --cached .; echo x >lib/y.ts; git add lib .orchestration')
  const { code, stderr, calls } = await runTracingGit(repo, "git commit -qm w -m 'Governance: begin anew'")
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(calls).toContain('hash-object')
})

test('what another program says on stdin is no answer', async () => {
  await using repo = await copyGoverned(template())
  await play(repo, 'echo x >lib/y.ts; git add lib')
  const said = `\0\0${'0'}\0\0${'0'}\0`
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'], { input: said, env: { KOTEF_ASKED: '1' } })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('lib/y.ts is outside intent INT-001') })
})
