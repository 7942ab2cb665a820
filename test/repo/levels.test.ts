import { describe, expect, test } from 'vitest'
import { runAgentHook } from '../rig/agent-hooks.ts'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const CONFIG = '.orchestration/config.yaml'

/** A hooked repository whose committed config has these lines. */
async function enforcing(config: string): Promise<Repo> {
  const repo = await hookedRepo()
  await repo.write(CONFIG, `version: 1\n${config}\n`)
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'config', '-m', 'Governance: levels')
  return repo
}

async function commitOutside(repo: Repo) {
  await repo.write('lib/x.ts', 'outside\n')
  return repo.run('git', ['commit', '-qam', 'w', '-m', 'Intent-ID: INT-001'])
}

describe('a commit outside its scope', () => {
  test.each<[string, number, RegExp | '']>([
    ['enforce: block', 1, /block {2}lib\/x\.ts is outside/],
    ['enforce: warn', 0, /goes through for review[^]*warn {3}lib\/x\.ts is outside/],
    ['enforce: observe', 0, ''],
    ['rules: { in-scope: warn }', 0, /warn {3}lib\/x\.ts is outside/],
    ['rules: { in-scope: observe }', 0, ''],
    ['enforce: observe\nrules: { in-scope: block }', 1, /block {2}lib\/x\.ts is outside/],
    ['rules: { intent-named: observe }', 1, /block {2}lib\/x\.ts is outside/],
  ])('under %j ends with %j', async (config, code, said) => {
    await using repo = await enforcing(config)
    const answer = await commitOutside(repo)
    expect(answer.code).toBe(code)
    if (said === '') expect(answer.stderr).toBe('')
    else expect(answer.stderr).toMatch(said)
  })

  test('is recorded as a violation also where nothing is printed', async () => {
    await using repo = await enforcing('enforce: observe')
    await repo.run('sh', [
      '-c',
      'git init -q --bare ../r.git; git remote add origin ../r.git; git push -qu origin HEAD',
    ])
    await commitOutside(repo)
    const { text } = await runCli(repo, 'status')
    expect(text).toContain('push     is not stopped: 0 problems, 1 observed')
    expect(await ledgerEvents(repo)).toContainEqual(
      expect.objectContaining({ event: 'violation', rule: 'in-scope', path: 'lib/x.ts' }),
    )
  })

  test('is judged by verify at the level of the base', async () => {
    await using repo = await enforcing('enforce: warn')
    const base = (await repo.git('rev-parse', 'HEAD')).trim()
    await commitOutside(repo)
    const { exit, text } = await runCli(repo, 'verify', `${base}..HEAD`)
    expect(exit ?? 0).toBe(0)
    expect(text).toContain('0 problems, 1 thing to look at')
    await repo.write(CONFIG, 'version: 1\nenforce: block\n')
    await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'strict', '-m', 'Governance: strict')
    expect((await runCli(repo, 'verify', `${base}..HEAD`)).exit ?? 0).toBe(0)
    expect((await runCli(repo, 'verify', 'HEAD~1..HEAD')).exit ?? 0).toBe(0)
  })
})

const DAY_MS = 24 * 60 * 60 * 1_000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

describe('until its day', () => {
  test.each([
    ['warn', 1, 0, `warn   lib/x.ts is outside intent INT-001; from ${dayIn(1)} on it is refused`],
    ['observe', 1, 0, ''],
    ['warn', 0, 1, 'block  lib/x.ts is outside intent INT-001\n'],
    ['observe', -30, 1, 'block  lib/x.ts is outside intent INT-001\n'],
  ])('%s, which ends in %d days, lets a commit end with %d', async (level, days, code, said) => {
    await using repo = await enforcing(`enforce: ${level}\nblock_from: ${dayIn(days)}`)
    const answer = await commitOutside(repo)
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringContaining(said)])
    if (level === 'observe' && code === 0) expect(answer.stderr).toBe('')
  })

  test.each([
    [
      'was let through stays so when the day has come',
      -1,
      dayIn(-1),
      0,
      'warn   lib/x.ts is outside intent INT-001; from',
    ],
    ['says it is older than its parent is judged as on the day of that', 0, dayIn(-1), 1, 'block  lib/x.ts is outside'],
    [
      'says it is of a year of five digits is judged as on the last day',
      -1,
      '@253402300800',
      1,
      'block  lib/x.ts is outside',
    ],
  ])('a commit that %s', async (_, parent, date, code, said) => {
    await using repo = await enforcing(`enforce: warn\nblock_from: ${dayIn(0)}`)
    const commitOn = (day: string, ...words: string[]) =>
      repo.run('git', ['-c', 'core.hooksPath=/dev/null', 'commit', '-q', ...words], {
        env: { GIT_COMMITTER_DATE: day.startsWith('@') ? `${day} +0000` : `${day}T12:00:00Z` },
      })
    await commitOn(dayIn(parent), '--amend', '--no-edit')
    await repo.write('lib/x.ts', 'outside\n')
    await commitOn(date, '-am', 'w', '-m', 'Intent-ID: INT-001')
    const { exit, text } = await runCli(repo, 'verify', 'HEAD~1..HEAD')
    expect([exit ?? 0, text]).toEqual([code, expect.stringContaining(said)])
  })

  test.each([
    ['goes through', 1, undefined],
    ['is refused from that day on', 0, 'deny'],
  ])("an agent's write %s", async (_, days, decision) => {
    await using repo = await enforcing(`enforce: warn\nblock_from: ${dayIn(days)}`)
    const write = { tool_name: 'Write', tool_input: { file_path: `${repo.root}/lib/x.ts`, content: 'x' } }
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: repo.root, ...write }
    const { stdout } = await runAgentHook(repo, 'claude', JSON.stringify(payload))
    expect(JSON.parse(stdout || '{}').hookSpecificOutput?.permissionDecision).toBe(decision)
  })
})

describe('another level', () => {
  test('that is looser holds only when it is committed', async () => {
    await using repo = await hookedRepo()
    await repo.write(CONFIG, 'version: 1\nenforce: observe\n')
    await repo.write('lib/x.ts', 'outside\n')
    const { code } = await repo.run('git', ['commit', '-qm', 'w', '-m', 'Intent-ID: INT-001', 'lib/x.ts'])
    expect(code).toBe(1)
  })

  test('that is stricter holds at once', async () => {
    await using repo = await enforcing('enforce: observe')
    await repo.write(CONFIG, 'version: 1\nenforce: block\n')
    await repo.write('lib/x.ts', 'outside\n')
    const { code } = await repo.run('git', ['commit', '-qm', 'w', '-m', 'Intent-ID: INT-001', 'lib/x.ts'])
    expect(code).toBe(1)
  })
})

test('init writes the day as well, and refuses what is no day or has no end', async () => {
  await using repo = await temporaryRepo()
  const refused = [
    ['--block-from', dayIn(7)],
    ['--mode', 'warn', '--block-from', '2026-02-30'],
  ]
  for (const words of refused)
    expect((await runCli(repo, 'init', '--yes', ...words)).failure).toMatchObject({ code: 'usage' })
  await runCli(repo, 'init', '--yes', '--hooks', 'git', '--mode', 'warn', '--block-from', dayIn(7))
  expect(await repo.read(CONFIG)).toContain(`\nenforce: warn\nblock_from: ${dayIn(7)}\n`)
  await runCli(repo, 'uninit', '--purge')
  expect(await repo.git('status', '--porcelain')).toBe('')
})

test.each(['observe', 'warn'] as const)('init --mode %s writes it into the config', async mode => {
  await using repo = await temporaryRepo()
  await runCli(repo, 'init', '--yes', '--hooks', 'git', '--mode', mode)
  expect(await repo.read(CONFIG)).toContain(`enforce: ${mode}`)
  await runCli(repo, 'uninit', '--purge')
  expect(await repo.git('status', '--porcelain')).toBe('')
})
