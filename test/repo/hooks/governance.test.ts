import { chmod, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { copyGoverned, hookedRepo, runInit, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const CONFIG = '.orchestration/config.yaml'
const GOVERN = ['commit', '-qm', 'govern', '-m', 'Governance: why']
const STOPPED = `${CONFIG} is a governance file, and an agent works here: aider`

// What others could have written approves nothing.
const SPOILT: [string, (path: string) => Promise<void>][] = [
  ['is open to others', path => chmod(path, 0o620)],
  ['is a link', path => rename(path, `${path}.x`).then(() => symlink(`${path}.x`, path))],
]

// A change of the plane is staged, and an agent is at work.
const template = fixture(async () => {
  const template = await hookedRepo({ start: null })
  await template.git('add', '--all')
  await runCliOrThrow(template, 'intent', 'start', 'INT-001', '--agent', 'aider')
  await change(template, `echo '# more' >>${CONFIG}`)
  return template
})

describe.concurrent('while an agent works here, a governance commit', () => {
  test('is stopped, and goes through when a person has approved it at a terminal', async () => {
    await using repo = await copyGoverned(template())
    expect((await repo.run('git', GOVERN)).stderr).toContain(`${STOPPED}\n         A person does it at a terminal: `)
    expect(await answered(repo, 'y')).toMatchObject({ code: 0 })
    await repo.git(...GOVERN)
    const [event] = (await ledgerEvents(repo)).filter(it => it['event'] === 'approved')
    expect(event).toMatchObject({
      parent: await repo.git('rev-parse', 'HEAD~').then(trim),
      changes: [{ path: CONFIG }],
    })
  })

  test.each([
    ['one byte more', `echo >>${CONFIG}; git add ${CONFIG}`],
    ['another mode', `git update-index --chmod=+x ${CONFIG}`],
    ['another path besides', 'echo x >.intentignore; git add .intentignore'],
    ['a deletion', `git rm -qf ${CONFIG}`],
  ])('is stopped when it is %s than what was approved', async (_, commands) => {
    await using repo = await copyGoverned(approvedRepo())
    await repo.run('sh', ['-c', commands])
    expect((await repo.run('git', GOVERN)).stderr).toContain('an agent works here: aider')
  })

  test('is stopped when -a takes more than what was approved', async () => {
    await using repo = await copyGoverned(approvedRepo())
    await repo.run('sh', ['-c', `echo >>${CONFIG}`])
    expect((await repo.run('git', ['commit', '-qam', 'govern', '-m', 'Governance: why'])).stderr).toContain(STOPPED)
  })

  test('is stopped when the same is done a second time', async () => {
    await using repo = await copyGoverned(approvedRepo())
    await repo.git(...GOVERN)
    await repo.git('-c', 'core.hooksPath=/dev/null', 'revert', '--no-edit', 'HEAD')
    await change(repo, `echo '# more' >>${CONFIG}`)
    expect((await repo.run('git', GOVERN)).stderr).toContain(STOPPED)
  })

  test.each(SPOILT)('is stopped when the file of approvals %s', async (_, spoil) => {
    await using repo = await copyGoverned(approvedRepo())
    await spoil(join(repo.root, '.git/kotef/approved.json'))
    expect((await repo.run('git', GOVERN)).stderr).toContain(STOPPED)
  })

  test('is stopped when the file of approvals is damaged', async () => {
    await using repo = await copyGoverned(template())
    const nothing = '{"version":1,"approvals":[{"head":null,"changes":[{}]},7]}'
    const damaged = ['', '{', nothing, '{"version":2,"approvals":[]}']
    for (const text of damaged) {
      await repo.write('.git/kotef/approved.json', text, 0o600)
      expect((await repo.run('git', GOVERN)).stderr, text).toContain(STOPPED)
    }
  })

  test('that adopts kotef is stopped as well, and can be approved before there is a commit', async () => {
    await using repo = await temporaryRepo()
    await runInit(repo)
    await runCliOrThrow(repo, 'intent', 'add', '--name', 'n', '--scope', 'src/**')
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
    await repo.git('add', '--all')
    expect((await repo.run('git', GOVERN)).stderr).toContain(STOPPED)
    expect(await answered(repo, 'y')).toMatchObject({ code: 0 })
    await repo.git(...GOVERN)
  })

  test('is stopped no longer once the session of the agent is over', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'intent', 'block', 'INT-001', '--reason', 'later')
    await repo.git(...GOVERN)
  })
})

describe.concurrent('kotef approve', () => {
  test.each([
    ['Enter alone', '\r', 1, 'Nothing was approved.'],
    ['n', 'n', 1, 'Nothing was approved.'],
    ['Ctrl-C', '\x03', 130, 'Nothing was changed.'],
  ])('%s approves nothing', async (_, keys, code, says) => {
    await using repo = await copyGoverned(template())
    expect(await answered(repo, keys)).toMatchObject({ code, reported: expect.stringContaining(says) })
    expect((await runCliOrThrow(repo, 'approve', '--list')).split('\n')[0]).toBe(`waits     ${CONFIG}`)
  })

  test('without a terminal it is refused, and so is an agent at one', async () => {
    await using repo = await copyGoverned(template())
    expect((await runCli(repo, 'approve')).failure).toMatchObject({ code: 'person-needed' })
    const { code, stdout } = await repo.kotef('approve', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { error: { code: 'person-needed' } }])
    const [session] = (await ledgerEvents(repo)).filter(it => it['event'] === 'session-started')
    await using terminal = startAtTerminal(repo, ['approve'], { KOTEF_SESSION: String(session?.['session']) })
    await terminal.line(/aider can't approve; a person must/)
  })

  test('--list tells what waits and what is approved, also as JSON', async () => {
    await using repo = await copyGoverned(approvedRepo())
    await change(repo, 'echo x >.intentignore; echo y >>src/a.ts')
    const { text, json } = await runCli(repo, 'approve', '--list')
    expect(text.split('\n').slice(0, 2)).toEqual(['waits     .intentignore', `approved  ${CONFIG}`])
    expect(json).toMatchObject({ agents: ['aider'], changes: [{ approved: false }, { path: CONFIG, approved: true }] })
    await repo.git('reset', '-q')
    expect(await runCliOrThrow(repo, 'approve', '--list')).toBe(
      'No change of a governance file is staged.\n' +
        '  Stage a change, then approve it: `git add .intentignore .orchestration/config.yaml && kotef approve`',
    )
  })

  test.each([
    ['the attribute -diff', '*.yaml -diff'],
    ['a diff driver of the config', '*.yaml diff=mine'],
  ])('shows every byte of the change, harmlessly, in spite of %s', async (_, attributes) => {
    await using repo = await copyGoverned(template())
    await repo.git('config', 'diff.mine.command', 'true')
    await repo.write('.git/info/attributes', `${attributes}\n`)
    await change(repo, `printf '# \\033[2Jred \\342\\200\\256bidi \\342\\200\\213gone\\n' >>${CONFIG}`)
    const { reported } = await answered(repo, 'n')
    expect(reported).toContain('+# \\u001b[2Jred \\u202ebidi \\u200bgone')
  })
})

describe.concurrent('afterwards', () => {
  test('a governance commit that an agent made with --no-verify is a violation', async () => {
    await using repo = await copyGoverned(template())
    await repo.git(...GOVERN, '--no-verify')
    expect(await violationsOf(repo)).toMatchObject([{ rule: 'governance-by-agent', path: CONFIG }])
  })

  test('one that was approved is none, also when it was rebased', async () => {
    await using repo = await copyGoverned(approvedRepo())
    await repo.git(...GOVERN)
    expect(await violationsOf(repo)).toEqual([])
    const rebase = 'git switch -qc side HEAD~ && git commit -qm w --allow-empty && git rebase -q side main'
    expect((await repo.run('sh', ['-c', rebase])).code).toBe(0)
    expect(await violationsOf(repo)).toEqual([])
  })

  test.each(SPOILT)('one that was approved is a violation when the file of approvals %s', async (_, spoil) => {
    await using repo = await copyGoverned(approvedRepo())
    await spoil(join(repo.root, '.git/kotef/approved.json'))
    expect((await runCliOrThrow(repo, 'approve', '--list')).split('\n')[0]).toBe(`waits     ${CONFIG}`)
    await repo.git(...GOVERN, '--no-verify')
    expect(await violationsOf(repo)).toMatchObject([{ rule: 'governance-by-agent', path: CONFIG }])
  })

  test('one from before the agent came is none', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
    await repo.git(...GOVERN)
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
    expect(await violationsOf(repo)).toEqual([])
  })

  test('one from before the agent went is a violation still', async () => {
    await using repo = await copyGoverned(template())
    await repo.git(...GOVERN, '--no-verify')
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
    expect(await violationsOf(repo)).toMatchObject([{ rule: 'governance-by-agent' }])
  })
})

const approvedRepo = fixture(async () => {
  const repo = await copyGoverned(template())
  await answered(repo, 'y')
  return repo
})

/** Types at the question of `kotef approve`; what was told. */
async function answered(repo: Repo, keys: string): Promise<{ code: number | null; reported: string }> {
  await using terminal = startAtTerminal(repo, ['approve'])
  await terminal.line(/exactly as shown above/)
  terminal.type(keys)
  const { code } = await terminal.ended
  return { code, reported: terminal.lines.join('\n') }
}

async function change(repo: Repo, commands: string): Promise<void> {
  await repo.run('sh', ['-c', commands])
  await repo.git('add', '--all')
}

async function violationsOf(repo: Repo): Promise<unknown[]> {
  await runCliOrThrow(repo, 'status')
  return (await ledgerEvents(repo)).filter(it => it['event'] === 'violation')
}

function trim(text: string): string {
  return text.trim()
}
