import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

async function intentsOfLines(repo: Repo, path: string): Promise<unknown[]> {
  const { json } = await runCli(repo, 'blame', path)
  return (json as { lines: { intent: string | null }[] }).lines.map(it => it.intent)
}

test('the intent of a line comes from the trailer, whichever command came first (solo B1, team S5)', async () => {
  await using repo = await hookedRepo()
  await repo.write('src/a.ts', 'a\nb\n')
  await repo.git('commit', '-qam', 'work')
  const clone = `${repo.base}/clone`
  await repo.git('clone', '-q', '.', clone)
  const fresh: Repo = { ...repo, root: clone }
  expect(await intentsOfLines(fresh, 'src/a.ts')).toEqual([null, 'INT-001'])
  expect((await runCli(fresh, 'why', 'src/a.ts:2')).text).toContain('INT-001')
  await runCli(fresh, 'status')
  expect(await intentsOfLines(fresh, 'src/a.ts')).toEqual([null, 'INT-001'])
})

test('in a shallow clone no line has the intent of the commit at which it ends', async () => {
  await using repo = await hookedRepo()
  await repo.play('for it in x y; do echo $it >>src/a.ts; git commit -qam $it; done')
  await repo.play('git clone -q --depth 2 "file://$PWD" ../clone')
  const cut: Repo = { ...repo, root: `${repo.base}/clone` }
  expect(await intentsOfLines(cut, 'src/a.ts')).toEqual([null, null, 'INT-001'])
  expect((await runCli(cut, 'show', 'INT-001')).json).toMatchObject({
    files: [{ path: 'src/a.ts', added: 1, alive: 1 }],
  })
})

test.each([
  ['in one block of trailers', 'Intent-ID: INT-001\nIntent-ID: INT-002'],
  ['in the blocks of a squash', '* one\n\nIntent-ID: INT-001\n\n* two\n\nIntent-ID: INT-002'],
])('of several cited intents a line has the one that owns its path: %s', async (_, body) => {
  await using repo = await hookedRepo()
  await repo.write('src/a.ts', 'a\nb\n')
  await repo.write('docs/b.md', 'b\nc\n')
  await repo.git('commit', '-qam', 'both', '-m', body)
  const clone = `${repo.base}/clone`
  await repo.git('clone', '-q', '.', clone)
  const fresh: Repo = { ...repo, root: clone }
  expect(await intentsOfLines(fresh, 'src/a.ts')).toEqual([null, 'INT-001'])
  expect(await intentsOfLines(fresh, 'docs/b.md')).toEqual([null, 'INT-002'])
})
