import { describe, expect, test } from 'vitest'
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

test.each(['observe', 'warn'] as const)('init --mode %s writes it into the config', async mode => {
  await using repo = await temporaryRepo()
  await runCli(repo, 'init', '--yes', '--hooks', 'git', '--mode', mode)
  expect(await repo.read(CONFIG)).toContain(`enforce: ${mode}`)
  await runCli(repo, 'uninit', '--purge')
  expect(await repo.git('status', '--porcelain')).toBe('')
})
