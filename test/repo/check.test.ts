import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'

type Report = { passed: boolean; checks: { status: string; seconds: number | null; why: string; tree: string }[] }

/** A repository whose intent INT-006 has these checks. */
async function checked(...commands: readonly string[]): Promise<Repo> {
  const repo = await hookedRepo()
  const checks = commands.flatMap(it => ['--check', it])
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'c', '--scope', 'new/**', ...checks)
  return repo
}

async function check(repo: Repo, ...flags: readonly string[]): Promise<Report & { code: number }> {
  const { exit, json } = await runCli(repo, 'check', 'INT-006', '--json', ...flags)
  return { code: exit, ...(json as Report) }
}

const isRunning = async (repo: Repo, mark: string) => (await repo.run('pgrep', ['-f', mark])).code === 0

describe('a check that', () => {
  test.each<[what: string, command: string, status: string, why: RegExp]>([
    ['fails', 'echo no; exit 3', 'failed', /ended with 3:\n +no$/],
    ['cannot start', './none-such', 'error', /not found/],
    ['is no program', 'src/a.ts', 'error', /ermission denied/],
    ['is ended by a signal', 'kill -KILL $$', 'error', /no exit code/],
    ['prints 200 MB', 'head -c 200000000 /dev/zero | tr "\\0" x; echo; echo end; exit 1', 'failed', /end$/],
    ['changes a file', 'echo more >> src/a.ts', 'stale', /run it again/],
    ['makes a file', 'echo new > made.txt', 'stale', /run it again/],
    ['sees git as in a hook', 'test -z "$(env | grep ^GIT_)"', 'passed', /passed/],
  ])('%s', async (_, command, status, why) => {
    await using repo = await checked(command)
    const env = { GIT_INDEX_FILE: join(repo.root, '.git/index') }
    const { code, stdout } = await repo.run('kotef', ['check', 'INT-006', '--json'], { env })
    const { passed, checks } = JSON.parse(stdout) as Report
    expect([code, passed, checks[0]?.status]).toEqual([status === 'passed' ? 0 : 1, status === 'passed', status])
    expect(checks[0]?.why).toMatch(why)
  })

  test('hangs, forks and ignores SIGTERM is ended at its time limit, with all that it started', async () => {
    const mark = `kotef-check-${randomUUID()}`
    await using repo = await checked('true')
    const registry = '.orchestration/active_intents.yaml'
    const deaf = `sh -c "trap : TERM; (trap : TERM; : ${mark}; while :; do sleep 1; done) & while :; do sleep 1; done"`
    const text = (await repo.read(registry)).replace('cmd: "true"', `timeout: 1\n        cmd: ${JSON.stringify(deaf)}`)
    expect(text).toContain(mark)
    await repo.write(registry, text)
    expect(await check(repo)).toMatchObject({ code: 1, checks: [{ status: 'timeout', why: 'stopped after 1 s' }] })
    expect(await isRunning(repo, mark)).toBe(false)
  })

  test('runs while kotef is ended is ended with it', async () => {
    const mark = `kotef-check-${randomUUID()}`
    await using repo = await checked(`sh -c ': ${mark}; while :; do sleep 1; done'`)
    await using running = repo.start('kotef', ['check', 'INT-006'])
    await expect.poll(() => isRunning(repo, mark)).toBe(true)
    running.signal('SIGINT')
    expect((await running.ended).signal).toBe('SIGINT')
    // A process that was sent SIGKILL ends a moment later.
    await expect.poll(() => isRunning(repo, mark)).toBe(false)
  })
})

const RUNS = 'echo run >> .git/runs'
const runsOf = async (repo: Repo) => (await repo.read('.git/runs')).split('\n').length - 1

test('a pass is kept for the tree: after a commit and an amend too, and not once a file changes', async () => {
  await using repo = await checked(RUNS, 'true')
  const runs: number[] = []
  const step = async (commands: string, ...flags: readonly string[]) => {
    expect(await repo.run('sh', ['-ec', commands])).toMatchObject({ code: 0 })
    expect(await check(repo, ...flags)).toMatchObject({ code: 0, passed: true })
    runs.push(await runsOf(repo))
  }
  await step('git add -A; git commit -qnm registry')
  await step('git commit -q --amend -nm again')
  await step('echo untracked > lib.txt')
  await step('git add lib.txt; git commit -qnm lib')
  await step('touch src/a.ts')
  await step('echo more >> src/a.ts')
  await step('git checkout -q src/a.ts')
  await step(':', '--no-cache')
  await step('echo x > ignored.log; echo ignored.log > .git/info/exclude')
  expect(runs).toEqual([1, 1, 2, 2, 2, 3, 3, 4, 4])
})

test('a failure is not kept, and what stands in place of a pass is not believed', async () => {
  await using repo = await checked(`${RUNS}; test -f .git/green`)
  expect([(await check(repo)).passed, (await check(repo)).passed, await runsOf(repo)]).toEqual([false, false, 2])
  await repo.run('touch', ['.git/green'])
  expect([(await check(repo)).passed, (await check(repo)).passed, await runsOf(repo)]).toEqual([true, true, 3])
  const folder = join(repo.root, '.git/kotef/passes')
  const [name = ''] = await readdir(folder)
  const kept = await repo.read(`.git/kotef/passes/${name}`)
  await repo.run('rm', ['.git/green'])
  for (const damage of ['', '{', 'null', kept.slice(0, 30), kept.replace('"key"', '"other"')]) {
    await repo.write(`.git/kotef/passes/${name}`, damage)
    expect((await check(repo)).passed).toBe(false)
  }
  await repo.run('sh', ['-c', `cd .git/kotef/passes; rm *; mkdir ${name}`])
  expect((await check(repo)).passed).toBe(false)
})

test('no check is no success, and a criterion for a person is named', async () => {
  await using repo = await hookedRepo()
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'c', '--scope', 'new/**', '--criterion', 'It is fast')
  const { exit, text } = await runCli(repo, 'check', 'INT-006')
  expect(exit).toBe(1)
  expect(text).toContain('INT-006 has no check, so nothing says that it is done.')
  expect(text).toContain('It is fast  (attest it: `kotef attest INT-006`)')
})

test('what a check prints is seen as it comes, and its control characters are not', async () => {
  await using repo = await checked(String.raw`printf 'one\033[31m two\n'; printf three`, 'echo four')
  const { code, stdout, stderr } = await repo.kotef('check', 'INT-006')
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('INT-006: 2 checks passed.') })
  expect(stderr).toMatch(/^\$ printf .*\n {2}one.* two\n {2}three\n\$ echo four\n {2}four\n$/)
  expect(stderr).not.toContain('\u001b')
})

test.each([
  ['untracked', 'sed -i /agent_trace/d .git/info/exclude .orchestration/.gitignore'],
  ['tracked', 'git add -f .orchestration/agent_trace.jsonl; git commit -qnm ledger'],
])('a ledger that is %s is not part of the tree: the record of a check voids no other one', async (_, commands) => {
  await using repo = await checked('true', RUNS)
  expect((await check(repo)).passed).toBe(true)
  expect(await repo.run('sh', ['-ec', commands])).toMatchObject({ code: 0 })
  expect(await check(repo, '--no-cache')).toMatchObject({ passed: true })
  expect(await check(repo)).toMatchObject({ passed: true })
  expect(await runsOf(repo)).toBe(2)
  expect(await repo.git('status', '--short', '--untracked-files=all')).toContain('agent_trace.jsonl')
})

describe('a check with', () => {
  const withCheck = async (fields: string) => {
    const repo = await checked('true')
    const path = '.orchestration/active_intents.yaml'
    const text = await repo.read(path)
    await repo.write(
      path,
      text.replace(/- cmd: "?true"?|- \{ ?cmd: "?true"? ?\}/, () => `- ${fields}`),
    )
    expect(await repo.read(path)).not.toBe(text)
    return repo
  }

  test('a folder runs there, and one without the folder says so', async () => {
    await using repo = await withCheck('{ cmd: "test -f here", cwd: packages/api }')
    expect(await check(repo)).toMatchObject({ checks: [{ status: 'error', why: 'there is no folder packages/api' }] })
    await repo.write('packages/api/here', '')
    expect(await check(repo)).toMatchObject({ code: 0, passed: true })
  })

  test('named variables gets these and those of a login', async () => {
    await using repo = await withCheck('{ cmd: "test -n \\"$PATH\\" && test \\"$A$B\\" = a", env: [A] }')
    const env = { ...repo.env(), A: 'a', B: 'b' }
    expect(await repo.run('kotef', ['check', 'INT-006'], { env })).toMatchObject({ code: 0 })
    const again = await repo.run('kotef', ['check', 'INT-006'], { env: { ...env, B: 'other' } })
    expect(again.stdout).toContain('these files passed at')
  })

  test('inputs keeps its pass while these files stay, and says so', async () => {
    await using repo = await withCheck(`{ cmd: "${RUNS}", inputs: ["src/**", "!src/docs/**"] }`)
    const runs: number[] = []
    const step = async (commands: string) => {
      await repo.run('sh', ['-ec', commands])
      expect(await check(repo)).toMatchObject({ code: 0, checks: [{ inputs: ['src/**', '!src/docs/**'] }] })
      runs.push(await runsOf(repo))
    }
    await step(':')
    await step('echo other > lib.txt; mkdir src/docs; echo doc > src/docs/a.md')
    await step('echo more >> src/a.ts')
    expect(runs).toEqual([1, 1, 2])
    expect((await runCli(repo, 'check', 'INT-006')).text).toContain('of src/** !src/docs/** only')
  })

  test.each([
    ['{ cmd: x, cwd: ../other }', 'a folder of the repository'],
    ['{ cmd: x, cwd: /tmp }', 'a folder of the repository'],
    ['{ cmd: x, env: [A=b] }', 'the name of a variable'],
    ['{ cmd: x, inputs: [] }', 'at least one glob'],
    ['{ cmd: x, shell: bash }', 'only `cmd`, `timeout`, `cwd`, `env` and `inputs`'],
  ])('%s is refused', async (fields, problem) => {
    await using repo = await withCheck(fields)
    const { exit, failure } = await runCli(repo, 'check', 'INT-006')
    expect(exit).not.toBe(0)
    expect(`${failure?.message}`).toContain(problem)
  })
})
