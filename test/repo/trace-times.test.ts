import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { runCommands } from '../rig/judged-repo.ts'
import { bypass } from '../rig/verify-findings.ts'

const repo = fixture(async () => {
  const repo = await hookedRepo()
  const now = `GIT_COMMITTER_DATE="$(date +%s) +0000" GIT_AUTHOR_DATE="$(date +%s) +0000"`
  await runCommands(repo, `export ${now}; echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-001')}`)
  await runCli(repo, 'status')
  return repo
})

test.each([['yesterday'], ['2 hours ago'], ['last week'], ['2026-01-01'], ['2026-01-01T10:00:00Z']])(
  'trace takes --since %j, as git does (solo C4)',
  async since => {
    const { failure, text } = await runCli(repo(), 'trace', '--since', since)
    expect([failure, text]).toEqual([null, expect.stringContaining('initialised')])
  },
)

test('a text that is no time is refused, and a time to come matches nothing (solo C4)', async () => {
  for (const since of ['nonsense', '2026-99-99', ''])
    expect((await runCli(repo(), 'trace', '--since', since)).failure).toMatchObject({ code: 'usage', exit: 2 })
  expect((await runCli(repo(), 'trace', '--since', '2999-01-01')).text).toBe('No record matches.')
})

test('--file is a path from the current folder (solo B8)', async () => {
  const { root } = repo()
  const there = { root: `${root}/lib`, env: () => repo().env() }
  const { text, json } = await runCli(there, 'trace', '--file', 'x.ts')
  expect(text).toContain('lib/x.ts')
  expect(json).toEqual((await runCli(repo(), 'trace', '--file', 'lib/x.ts')).json)
})

test('a violation names its commit, and commits are listed among the records (solo B9)', async () => {
  const oid = (await repo().git('rev-parse', '--short=10', 'HEAD')).trim()
  const { text } = await runCli(repo(), 'trace')
  expect(text).toContain(`lib/x.ts is outside intent INT-001 (commit ${oid})`)
  expect(text).toMatch(new RegExp(`^\\S+ {2}commit {10}${oid} stray {2}INT-001$`, 'm'))
  expect((await runCli(repo(), 'trace', '--intent', 'INT-002')).text).not.toContain('commit ')
})

test('--limit lists as many lines, of records and commits, in the order of the ledger', async () => {
  const { text, json } = await runCli(repo(), 'trace')
  // The columns are as wide as what is listed.
  const linesOf = (listed: string) =>
    listed.split('\n').flatMap(it => (/^\d\d:/.test(it) ? it.replace(/ +/g, ' ') : []))
  const all = linesOf(text)
  expect(all.length).toBeGreaterThan((json as unknown[]).length)
  for (const limit of [1, 2, all.length - 1, all.length]) {
    const listed = (await runCli(repo(), 'trace', '--limit', String(limit))).text
    expect(linesOf(listed)).toEqual(all.slice(-limit))
    const places = listed.split('\n').map(it => it.search(/(?<=^\d\d:\d\d:\d\d {2}\S+ +)\S/))
    expect(new Set(places.filter(it => it !== -1)).size).toBe(1)
  }
})

test('a commit is before what happened after it in its second, and --limit cuts it off there', async () => {
  await using repo = await hookedRepo()
  // The second of the commit lasts as long as the test.
  await runCommands(
    repo,
    'echo x >>src/a.ts; git add src; GIT_COMMITTER_DATE="$(($(date +%s) + 60)) +0000" git commit -qm x',
  )
  await runCli(repo, 'intent', 'start', 'INT-002')
  const eventsIn = async (...options: string[]) =>
    (await runCli(repo, 'trace', ...options)).text.split('\n').map(it => it.split(/ +/)[1])
  expect((await eventsIn()).slice(-4)).toEqual(['commit', 'transition', 'session-ended', 'session-started'])
  expect(await eventsIn('--limit', '1')).toEqual([expect.stringMatching(/^\d+$/), 'session-started'])
})
