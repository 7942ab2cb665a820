import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runAgentHook } from '../rig/agent-hooks.ts'
import { runCli } from '../rig/command-line.ts'
import { flushedWrites, startWatching } from '../rig/governed-repo.ts'
import { runCliOrThrow } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import type { Repo } from '../rig/repo.ts'
import { answeredClaude, CHECKED_REGISTRY, selectedRepo, times } from '../rig/session-runs.ts'

const reports = (repo: Repo) => readdir(join(repo.root, '.sdd/runs')).catch(() => [])

describe('the run of a session', () => {
  test('a command that fails again and again stops it, after a warning; a person starts another', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    const [, , warned, stopped] = await times(4, n => agent.runs('make all', { exit: 2, output: `no rule, ${n} s` }))
    expect(warned).toMatch(/^kotef warns: Bash: make all failed 3 times with the same error.*`same-error`/)
    expect(stopped).toMatch(/^kotef stopped this run, aborted_stuck: .*failed 4 times.* Report: \.sdd\/runs\//)
    expect(JSON.parse(await agent.writes('src/a.ts', 'x\n'))).toMatchObject({
      error_type: 'run-stopped',
      message: expect.stringMatching(/^This run has ended, aborted_stuck: .*`same-error`/),
    })
    expect(await agent.runs('git status')).toBe('')
    expect(await reports(repo)).toHaveLength(1)
    expect(await repo.read('.sdd/issues.md')).toMatch(
      /aborted_stuck\n\n- Intent: INT-001\n- Session: s\n- Loop: same-error: Bash: make all failed 4 times/,
    )
    expect(await repo.git('status', '--porcelain', '--untracked-files=all')).not.toMatch(/\.sdd/)
    const status = await runCli(repo, 'status')
    expect(status.text).toMatch(/^stopped {2}claude on INT-001: Bash: make all failed 4 times.* \(same-error\)\n/)
    expect(status.json).toMatchObject({ stopped: [{ session: 's', status: 'aborted_stuck', isLive: true }] })
    await agent.say('UserPromptSubmit', { prompt: 'try it again' })
    expect((await runCli(repo, 'status')).json).toMatchObject({ stopped: [] })
    expect(await agent.writes('src/a.ts', 'x\n')).toBe('')
  })

  test('what kotef has git ignore for its report is no change of the agent’s (look A0)', async () => {
    await using repo = await selectedRepo()
    await using _daemon = await startWatching(repo)
    const agent = answeredClaude(repo)
    await agent.runs('make all', { exit: 2, output: 'no rule' })
    await flushedWrites(repo)
    await times(3, () => agent.runs('make all', { exit: 2, output: 'no rule' }))
    expect(await reports(repo)).toHaveLength(1)
    await flushedWrites(repo)
    expect(((await runCli(repo, 'status')).json as { problems: string[] }).problems).toEqual([])
    expect((await ledgerEvents(repo)).filter(it => it['event'] === 'violation')).toEqual([])
  })

  test('the same call between edits, another result each time, and reading are ordinary days', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    const answers = [
      ...(await times(6, n => agent.runs('npm test', { exit: 1, output: `${n} failed` }))),
      ...(await times(8, () => agent.runs('git status', { output: 'clean' }))),
      ...(await times(8, () => agent.runs('sleep 5; node ready.js', { output: 'not yet' }))),
      ...(await times(
        4,
        async n => (await agent.writes('src/a.ts', `${n}\n`)) + (await agent.runs('make', { output: 'ok' })),
      )),
    ]
    expect(answers.filter(it => it !== '')).toEqual([])
  })

  test('back on the same files with the same failure for the third time, the run is stopped', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    const answers = await times(6, async n => {
      const written = await agent.writes('src/a.ts', n % 2 ? 'one\n' : 'two\n')
      return written || agent.runs('make', { exit: 1, output: 'no' })
    })
    expect(answers.findIndex(it => it.includes('`same-tree-again`'))).toBe(4)
  })

  test('three refusals of one path stop it; a path each does not', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await times(3, n => agent.writes(`docs/${n}.md`, 'x\n'))
    expect(await agent.writes('src/a.ts', 'x\n')).toBe('')
    await times(3, () => agent.writes('docs/a.md', 'x\n'))
    expect(JSON.parse(await agent.writes('src/a.ts', 'y\n'))).toMatchObject({ error_type: 'run-stopped' })
  })

  test('it says that the work is done when the checks pass on changed files, not before', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await agent.writes('src/a.ts', 'x\n')
    expect(await agent.runsKotef('check', 'INT-001')).toBe('')
    expect(await agent.say('Stop')).toMatch(
      /^INT-001 is not done .*\n- `test -f src\/done.ts`: failed\nRun `npx kotef-watch check INT-001`/,
    )
    await agent.writes('src/done.ts', 'x\n')
    expect(await agent.runsKotef('check', 'INT-001')).toMatch(
      /^kotef: INT-001 is done\. All 1 checks passed.* Stop here/,
    )
    expect(await agent.say('Stop')).toBe('')
    expect(await agent.writes('src/a.ts', 'z\n')).toBe('')
  })

  test('checks that passed before anything was changed end nothing', async () => {
    await using repo = await selectedRepo(CHECKED_REGISTRY.replace('src/done.ts', 'src/a.ts'))
    const agent = answeredClaude(repo)
    expect(await agent.runsKotef('check', 'INT-001')).toBe('')
    await agent.writes('src/b.ts', 'x\n')
    expect(await agent.runsKotef('check', 'INT-001')).toMatch(/^kotef: INT-001 is done/)
  })

  test('a check of the intent that the agent runs itself is one: red for long it stops the run', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    const answers = await times(6, async n => {
      const written = await agent.writes('src/a.ts', `${n}\n`)
      return written || agent.runs('test -f src/done.ts', { exit: 1, output: 'not there' })
    })
    expect(answers.map(it => /^kotef (\w+)/.exec(it)?.[1] ?? '')).toEqual(['', '', 'warns', 'warns', 'stopped', ''])
    expect(answers[4]).toMatch(/check test -f src\/done\.ts failed with the same error on 5 different trees/)
  })

  test('and green it is done, also where the agent keeps a plan; each call is a step', async () => {
    await using repo = await selectedRepo(CHECKED_REGISTRY.replace('name: work', 'name: work\n    appetite: Small'))
    const agent = answeredClaude(repo)
    const todos = Array.from({ length: 9 }, (_, n) => ({ content: `step ${n}`, status: 'pending' }))
    expect(await agent.uses('TodoWrite', { todos })).toMatch(/The plan has 9 steps, and the intent is small/)
    await agent.writes('src/done.ts', 'x\n')
    expect(await agent.uses('Bash', { command: 'test -f src/done.ts', run_in_background: true })).toBe('')
    expect(await agent.say('Stop')).toMatch(/not run/)
    await agent.runs('test -f src/done.ts')
    expect(await agent.say('Stop')).toBe('')
    expect(await agent.say('SessionEnd')).toBe('')
    const [run] = JSON.parse((await repo.kotef('runs', 'list', '--json')).stdout).runs
    expect(run).toMatchObject({ status: 'done_success', counters: { totalSteps: 3 } })
    expect(await reports(repo)).toHaveLength(1)
  })

  test('a session that is over ends its run, with a report and what is left, and nobody was stuck', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await agent.writes('src/a.ts', 'x\n')
    await agent.say('SessionEnd')
    const [report] = await reports(repo)
    const text = await repo.read(`.sdd/runs/${report}`)
    expect(text).toMatch(/\*\*done_partial\*\*: what is left is in the evidence \(profile default, rule session-over\)/)
    expect(text).toMatch(/- Evidence: .* 1 of its 1 checks have not passed on these files: test -f/)
    expect(await repo.read('.sdd/issues.md').catch(() => 'none')).toBe('none')
  })

  test('with a criterion for a person left, the work is done in part', async () => {
    const more = '{ cmd: "test -f src/done.ts" }, "it looks right"'
    await using repo = await selectedRepo(CHECKED_REGISTRY.replace('{ cmd: "test -f src/done.ts" }', more))
    const agent = answeredClaude(repo)
    await agent.writes('src/done.ts', 'x\n')
    expect(await agent.runsKotef('check', 'INT-001')).toMatch(
      /^kotef: the checks of INT-001 pass.*1 of the criteria is for a person/,
    )
  })
})

test('what kotef writes about a run is nobody’s write, also while it is watched', async () => {
  await using repo = await selectedRepo()
  await using _daemon = await startWatching(repo)
  const agent = answeredClaude(repo)
  await times(4, () => agent.runs('make all', { exit: 2, output: 'no rule' }))
  await agent.writes('src/a.ts', 'x\n')
  await repo.write('src/b.ts', 'x\n')
  const written = (await flushedWrites(repo)).flatMap(it => it.files.map(file => file.path))
  expect([await reports(repo), written]).toEqual([[expect.any(String)], ['src/b.ts']])
})

test('OpenCode asks at each request to its model: only the end of a turn begins another one', async () => {
  await using repo = await selectedRepo()
  const say = async (event: string, more: object = {}): Promise<string> => {
    const payload = { event, session: 's', cwd: repo.root, ...more }
    return (await runAgentHook(repo, 'opencode', JSON.stringify(payload))).stdout
  }
  const ended = { tool: 'bash', args: { command: 'make all' }, call: 'c', result: 'no rule', exit: 2 }
  const answers = await times(4, async () => (await say('prompt', { model: 'a/b' })) && say('after-tool', ended))
  expect(answers.at(-1)).toMatch(/kotef stopped this run/)
  const write = { tool: 'write', args: { filePath: join(repo.root, 'src/a.ts'), content: 'x' }, call: 'd' }
  expect(await say('before-tool', write)).toMatch(/run-stopped/)
  await say('stop')
  expect(await say('before-tool', write)).toBe('{}\n')
})

test('runs are listed and shown, with another exit code for one that was stopped', async () => {
  await using repo = await selectedRepo()
  expect(await runCli(repo, 'runs', 'show')).toMatchObject({ exit: 0 })
  await times(4, () => answeredClaude(repo).runs('make all', { exit: 2, output: 'no rule' }))
  expect(await runCliOrThrow(repo, 'runs', 'list')).toMatch(/^s {2}INT-001 {2}stopped, stuck, since .*\(same-error\)$/)
  const { code, stdout } = await repo.kotef('runs', 'show', 's', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([4, { session: 's', status: 'aborted_stuck' }])
  const { exit, failure } = await runCli(repo, 'runs', 'show', 'none')
  expect([exit, failure]).toEqual([
    2,
    expect.objectContaining({
      message: 'No session none has a run.',
      hint: expect.stringContaining('kotef runs list`'),
    }),
  ])
})

test('the run of a session that is over is not listed as running', async () => {
  await using repo = await selectedRepo()
  await answeredClaude(repo).runs('make all', { exit: 2, output: 'no rule' })
  expect(await runCliOrThrow(repo, 'runs', 'list')).toMatch(/^s {2}INT-001 {2}running, since /)
  await runCliOrThrow(repo, 'session', 'end', '--all')
  expect(await runCliOrThrow(repo, 'runs', 'list')).toMatch(/^s {2}INT-001 {2}paused, its session is over, since /)
})

describe('an agent that would stop', () => {
  test('is held three times on the same files, and again when they change', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await agent.writes('src/a.ts', 'x\n')
    expect(await times(4, async () => (await agent.say('Stop')) && 'held')).toEqual(['held', 'held', 'held', ''])
    await agent.writes('src/a.ts', 'y\n')
    expect(await agent.say('Stop')).not.toBe('')
  })

  test.each<[what: string, before: (agent: ReturnType<typeof answeredClaude>) => Promise<unknown>, payload: object]>([
    ['has changed nothing', agent => agent.runs('ls'), {}],
    [
      'has changed nothing since the person spoke',
      async agent => (await agent.writes('src/a.ts', 'x\n')) || agent.say('UserPromptSubmit', { prompt: 'why?' }),
      {},
    ],
    [
      'waits for work in the background',
      agent => agent.writes('src/a.ts', 'x\n'),
      { background_tasks: [{ id: 'b', status: 'running' }] },
    ],
  ])('is let go when it %s', async (_, before, payload) => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await before(agent)
    expect(await agent.say('Stop', payload)).toBe('')
  })
})
