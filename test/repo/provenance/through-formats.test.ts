import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// A change that is proved to be FORMAT takes no line from those who wrote it.

const AGENT = "export function check(user) {\n  return allow(user, 'all of the rights')\n}\n"
const FORMATTED = AGENT.replaceAll("'", '"').replace('  return', '    return').replace("')", '")')

type Blamed = { readonly lines: readonly { contributor: { type: string }; intent: string; commit: string }[] }

describe('after a person’s commit that only formats,', () => {
  let repo: Repo
  beforeAll(async () => {
    repo = await governedRepo({ 'src/old.js': 'let a = 1\n' }, { agent: 'aider', scope: ['src/**'] })
    await using _daemon = await startWatching(repo)
    await repo.write('src/check.js', AGENT)
    await flushedWrites(repo)
    await repo.play('git add src; git commit -qm check')
    await runCliOrThrow(repo, 'session', 'end', '--all')
    await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-002', '--name', 'format', '--scope', '**', '--commit')
    await runCliOrThrow(repo, 'intent', 'start', 'INT-002')
    await repo.write('src/check.js', FORMATTED)
    await flushedWrites(repo)
    await repo.play(`git commit -qam format -m 'Intent-ID: INT-002'`)
    await runCliOrThrow(repo, 'finalise')
  }, 60_000)
  afterAll(() => repo[Symbol.asyncDispose]())

  const blamed = async (...words: string[]) => (await runCli(repo, 'blame', 'src/check.js', ...words)).json as Blamed

  test('blame has the author and the intent of whoever wrote the line', async () => {
    const { lines } = await blamed()
    expect(lines.map(it => [it.contributor.type, it.intent])).toEqual(Array(3).fill(['ai', 'INT-001']))
    expect((await blamed('-L', '2,2')).lines).toEqual([lines[1]])
  })

  test('why, show and the map say the same', async () => {
    expect((await runCli(repo, 'why', 'src/check.js:2')).text).toContain('INT-001')
    expect(await runCliOrThrow(repo, 'map', 'INT-001')).toContain('check')
    expect(await runCliOrThrow(repo, 'map', 'INT-002')).not.toContain('check')
    expect((await runCli(repo, 'show', 'INT-001')).text).toMatch(/3 lines.*3 alive|3 of 3/s)
  })

  test('a line that is changed besides is of whoever changed it', async () => {
    await repo.play(`sed -i 's/all of the rights/none of them at all/' src/check.js
      git commit -qam 'deny' -m 'Intent-ID: INT-002'`)
    await runCliOrThrow(repo, 'finalise')
    expect((await blamed()).lines.map(it => it.intent)).toEqual(['INT-001', 'INT-002', 'INT-001'])
  })
})

describe('the commits of `blame.ignoreRevsFile`', () => {
  test('are looked through as git does it, and a list that is not there is named (bugs F16)', async () => {
    await using repo = await governedRepo({ 'src/a.js': 'let one = theFirst()\nlet two = theSecond()\n' })
    const first = (await repo.git('rev-parse', 'HEAD')).trim()
    await repo.play(`sed -i 's/let/var/' src/a.js; git commit -qam var; git rev-parse HEAD >.git/ignored`)
    const commits = async () => ((await runCli(repo, 'blame', 'src/a.js')).json as Blamed).lines.map(it => it.commit)
    await repo.git('config', 'blame.ignoreRevsFile', 'not-there')
    expect((await runCli(repo, 'blame', 'src/a.js')).failure).toMatchObject({
      message: expect.stringContaining('list: not-there.'),
      hint: 'See the list of git’s setting: `git config --show-origin --get-all blame.ignoreRevsFile`',
    })
    await repo.git('config', 'blame.ignoreRevsFile', '.git/ignored')
    expect(await commits()).toEqual([first, first])
  })
})
