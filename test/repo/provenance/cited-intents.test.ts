import { expect, test } from 'vitest'
import { gatherRange } from '../../../src/shells/ui/facts/gather-range.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
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

test('an intent that a commit does not cite, or that owns nothing there, is no answer (solo N5)', async () => {
  await using repo = await hookedRepo()
  const write = async (path: string, added: string) => {
    const before = await repo.read(path)
    await recordAgentWrite(repo, path, { before, added })
    await repo.write(path, before + added)
  }
  await write('src/a.ts', 'a line that an agent wrote for its intent\n')
  await repo.git('commit', '-qnam', 'other', '-m', 'Intent-ID: INT-002')
  await write('docs/b.md', 'another line that it wrote out of its scope\n')
  await repo.git('commit', '-qnam', 'both', '-m', 'Intent-ID: INT-001\nIntent-ID: INT-002')
  await write('src/a.ts', 'and one in a commit that names no intent\n')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'none')
  expect((await intentsOfLines(repo, 'src/a.ts')).slice(-2)).toEqual(['INT-002', 'INT-001'])
  expect((await intentsOfLines(repo, 'docs/b.md')).at(-1)).toBe('INT-002')
  expect((await runCli(repo, 'show', 'INT-002')).json).toMatchObject({ files: [{ added: 1 }, { added: 1 }] })
})

test('where several of them own the path, or none does, a line has either of them (look A3)', async () => {
  await using repo = await hookedRepo()
  await runCli(repo, 'intent', 'add', '--id', 'INT-006', '--name', 'Sixth', '--scope', 'src/**')
  await repo.write('src/a.ts', 'a\nb\n')
  await repo.write('lib/x.ts', 'x\ny\n')
  await repo.play(`git add -A && KOTEF=0 git commit -qm both -m 'Intent-ID: INT-006\nIntent-ID: INT-001'`)
  await repo.play('git clone -q . ../clone')
  const fresh: Repo = { ...repo, root: `${repo.base}/clone` }
  const either = ['INT-001', 'INT-006']
  for (const path of ['src/a.ts', 'lib/x.ts'])
    expect((await runCli(fresh, 'blame', path)).json).toMatchObject({ lines: [{}, { intent: null, either }] })
  expect((await runCli(fresh, 'blame', 'src/a.ts')).text.split('\n')[1]).toContain('  INT-001 or INT-006  ')
  const why = await runCli(fresh, 'why', 'src/a.ts:2')
  expect(why.text).toContain('intent   INT-001 or INT-006 (the commit cites them all)')
  expect(why.text).toContain('Sixth')
  expect((await runCli(fresh, 'trace', '--commit', 'HEAD')).text).toContain('  INT-001 or INT-006  ')
  const { intents } = (await runCli(fresh, 'stats', 'HEAD~1..HEAD')).json as { intents: Record<string, number> }
  expect(Object.keys(intents)).toEqual(['INT-001 or INT-006'])
  const page = await gatherRange(await openWorkspace(fresh.root), 'HEAD^!', null)
  const file = page?.review.value?.diff?.files.find(it => it.path === 'src/a.ts')
  expect(file?.hunks.flat().flatMap(it => it.by?.intent ?? [])).toEqual(['INT-001 or INT-006'])
})
