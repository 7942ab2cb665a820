import { describe, expect, test } from 'vitest'
import { claudeSession } from '../rig/agent-hooks.ts'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { flushedRecords, startWatching } from '../rig/governed-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { startCommandAtTerminal } from '../rig/terminal.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import type { Repo } from '../rig/repo.ts'

const CONFIG = '.orchestration/config.yaml'
const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await runCliOrThrow(repo, 'status') // The adoption is judged before an agent comes.
  return repo
})

/** An agent that has run a tool, and is idle now. */
async function idleAgent(repo: Repo, id = 's-1') {
  const agent = claudeSession(repo, id)
  await agent.willRun('ls')
  await agent.hasRun('ls')
  return agent
}

const edit = async (repo: Repo, line = '# more') => repo.write(CONFIG, `${await repo.read(CONFIG)}${line}\n`)
/** A command of the agent writes it, and the agent is told. */
async function editByAgent(repo: Repo): Promise<void> {
  const agent = await idleAgent(repo)
  await agent.willRun('make')
  await edit(repo)
  await flushedRecords(repo)
  await expect(agent.hasRun('make')).rejects.toThrow('is a governance file')
}

const COMMIT = `git commit -qm config -m 'Governance: why' -- ${CONFIG}`

/** Commits it at a terminal when the daemon, if there is one, has recorded it: the exit code, and what was said. */
async function commit(repo: Repo, env: Record<string, string> = {}) {
  await runCli(repo, 'flush')
  await using terminal = startCommandAtTerminal(repo, COMMIT, env)
  const { code } = await terminal.ended
  return { code, said: terminal.lines.join('\n') }
}

const violations = async (repo: Repo) => (await ledgerEvents(repo)).filter(it => it['event'] === 'violation')

describe('beside an agent, a governance file that a person edits in an editor', () => {
  test('is committed without approval while the agent is idle (solo A10)', async () => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    const agent = await idleAgent(repo)
    await edit(repo)
    await flushedRecords(repo)
    await edit(repo, '# and more')
    expect(await commit(repo)).toEqual({ code: 0, said: '' })
    await agent.willRun('ls')
    await flushedRecords(repo)
    await runCliOrThrow(repo, 'status')
    expect(await violations(repo)).toEqual([])
  })

  test.each<[string, (repo: Repo) => Promise<unknown>]>([
    ['is written while a tool of the agent runs', editByAgent],
    [
      'is committed while a tool of the agent runs',
      async repo => {
        const agent = await idleAgent(repo)
        await edit(repo)
        await flushedRecords(repo)
        await agent.willRun('make')
      },
    ],
    [
      'is written in part by the agent',
      async repo => {
        await editByAgent(repo)
        await edit(repo)
      },
    ],
    [
      'is beside an agent that reports no tool calls',
      async repo => {
        await idleAgent(repo)
        await runCli(repo, 'intent', 'start', 'INT-002', '--agent', 'aider')
        await edit(repo)
      },
    ],
    [
      'is removed',
      async repo => {
        await idleAgent(repo)
        await repo.run('rm', [CONFIG])
      },
    ],
  ])('needs an approval when it %s', async (_, act) => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    await act(repo)
    const { code, said } = await commit(repo)
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`${CONFIG} is a governance file, and an agent works here`),
    ])
  })

  test('needs an approval when something without a terminal commits it', async () => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    await idleAgent(repo)
    await edit(repo)
    await flushedRecords(repo)
    expect((await repo.run('setsid', ['--wait', 'sh', '-c', COMMIT])).code).toBe(1)
  })

  test('is a violation when it is committed with --no-verify', async () => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    await idleAgent(repo)
    await edit(repo)
    await flushedRecords(repo)
    await repo.git('commit', '-qnm', 'config', '-m', 'Governance: why', '--', CONFIG)
    await runCliOrThrow(repo, 'status')
    expect(await violations(repo)).toMatchObject([{ rule: 'governance-by-agent', path: CONFIG }])
  })

  test('needs an approval when an agent commits it', async () => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    await idleAgent(repo)
    await edit(repo)
    expect((await commit(repo, { CLAUDECODE: '1' })).code).toBe(1)
  })

  test('needs an approval when no daemon saw it', async () => {
    await using repo = await copyGoverned(template())
    await idleAgent(repo)
    await edit(repo)
    expect((await commit(repo)).code).toBe(1)
  })
})
