import { describe, expect, test } from 'vitest'
import { verbs } from '../../src/shells/cli/verbs.ts'
import { failureCodes } from '../../src/core/base/failure.ts'
import { runCli } from '../rig/command-line.ts'
import { temporaryRepo } from '../rig/repo.ts'

describe('kotef log', () => {
  test('shows commits with what they say about their intents, newest first', async () => {
    await using repo = await temporaryRepo({ 'a.ts': '' })
    const commit = (...paragraphs: string[]) =>
      repo.git('commit', '--quiet', '--allow-empty', ...paragraphs.flatMap(it => ['--message', it]))
    await commit('adopt', 'Governance: adopt kotef')
    await commit('one', 'Intent-ID: INT-001')
    await commit('two', 'about INT-001', 'intent-id: INT-001\nIntent-ID: INT-002\nSigned-off-by: A <a@b>')
    await commit('three mentions INT-001')
    const { json, text } = await runCli(repo, 'log')
    expect((json as { commits: object[] }).commits).toMatchObject([
      { subject: 'three mentions INT-001', intents: [], governance: null },
      { subject: 'two', intents: ['INT-001', 'INT-002'] },
      { subject: 'one', intents: ['INT-001'], author: 'Ada Author' },
      { subject: 'adopt', intents: [], governance: 'adopt kotef' },
      { subject: 'first', intents: [], governance: null },
    ])
    expect(text.split('\n').map(it => it.slice(24))).toEqual([
      '-                three mentions INT-001',
      'INT-001 INT-002  two',
      'INT-001          one',
      'governance       adopt',
      '-                first',
    ])
    const cited = await runCli(repo, 'log', '--intent', 'INT-001', '--limit', '1')
    expect(cited.json).toMatchObject({ commits: [{ subject: 'two' }], truncated: true })
    expect(cited.text).toContain('… and older commits')
    expect((await runCli(repo, 'log', '--intent', 'INT-01')).text).toBe('No commit cites INT-01')
  })

  test('takes a commit or a range as git does, and refuses what is none (team S13)', async () => {
    await using repo = await temporaryRepo({ a: '' })
    for (const it of ['one', 'two', 'three']) await repo.git('commit', '-q', '--allow-empty', '-m', it)
    const subjects = async (range: string) =>
      ((await runCli(repo, 'log', range)).json as { commits: { subject: string }[] }).commits.map(it => it.subject)
    expect(await subjects('HEAD~2..HEAD')).toEqual(['three', 'two'])
    expect(await subjects('HEAD~2')).toEqual(['one', 'first'])
    expect((await runCli(repo, 'log', 'HEAD..HEAD')).text).toBe('There is no commit in HEAD..HEAD.')
    for (const range of ['nope', 'a', '--output=x']) {
      const { failure } = await runCli(repo, 'log', '--', range)
      expect(failure).toMatchObject({ code: 'usage', message: `${range} is neither a commit nor a range.` })
    }
  })

  test("reads trailers by the colon, whatever the user's git is told", async () => {
    await using repo = await temporaryRepo({ a: '' })
    await repo.git('config', 'trailer.separators', '=')
    await repo.git('commit', '-q', '--allow-empty', '-m', 'w', '-m', 'Intent-ID: INT-001')
    expect((await runCli(repo, 'log', '--limit', '1')).json).toMatchObject({ commits: [{ intents: ['INT-001'] }] })
  })

  test('has an answer where there are no commits, and refuses a limit that is none', async () => {
    await using repo = await temporaryRepo()
    expect((await runCli(repo, 'log')).json).toEqual({ commits: [] })
    expect((await runCli(repo, 'log', '--limit', 'x')).failure?.code).toBe('usage')
  })
})

describe('kotef explain', () => {
  test('prints a page, lists them all, and refuses an unknown one', async () => {
    await using repo = await temporaryRepo()
    expect((await runCli(repo, 'explain', 'registry-invalid')).text).toMatch(/^# registry-invalid\n/)
    expect((await runCli(repo, 'explain')).text.split('\n')).toEqual(expect.arrayContaining([...failureCodes]))
    for (const code of ['nothing', '../../README'])
      expect((await runCli(repo, 'explain', code)).failure?.code).toBe('usage')
  })
})

describe('the command line', () => {
  test.each(verbs.filter(it => !it.hidden))(
    'kotef $usage explains itself with an example',
    async ({ usage, example }) => {
      await using repo = await temporaryRepo()
      const words = usage.split(' ').filter(it => /^[a-z]/.test(it))
      expect((await runCli(repo, ...words, '--help')).text).toContain(`$ ${example}`)
    },
  )

  test('an unknown word gets the way out', async () => {
    await using repo = await temporaryRepo()
    const { failure } = await runCli(repo, 'intent', 'strat', 'INT-001')
    expect(failure).toMatchObject({ code: 'usage', exit: 2 })
    expect(failure?.message).toContain('Did you mean start?')
  })
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async shell => {
    await using repo = await temporaryRepo()
    const { code, stdout } = await repo.kotef('completion', shell)
    expect(code).toBe(0)
    expect(stdout).toContain('kotef complete ')
  })

  test('an unknown shell is refused', async () => {
    await using repo = await temporaryRepo()
    expect((await repo.kotef('completion', 'tcsh')).code).toBe(2)
  })

  test('suggests verbs, flags and the intents of the registry', async () => {
    await using repo = await temporaryRepo({
      '.orchestration/active_intents.yaml': 'active_intents: [{ id: INT-001, name: auth, status: PENDING }]\n',
    })
    const suggested = async (...words: string[]) => (await repo.kotef('complete', '--', ...words)).stdout
    expect(await suggested('intent', 'st')).toContain('start')
    expect(await suggested('intent', 'start', '')).toContain('INT-001\tauth')
    expect(await suggested('intent', 'start', '--a')).toContain('--agent')
    expect(await suggested('log', '--intent', '')).toContain('INT-001')
  })

  test('suggests in silence where there is no registry', async () => {
    await using repo = await temporaryRepo()
    expect(await repo.kotef('complete', '--', 'intent', 'start', '')).toMatchObject({ code: 0, stderr: '' })
  })
})
