import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/world/io/process/clock.ts'
import { fixture } from '../rig/fixture.ts'
import { claudeSession, writeCredits } from '../rig/agent-hooks.ts'
import { type AgentWithServer, startAgent } from '../rig/agent-with-server.ts'
import { flushedRecords, startWatching } from '../rig/governed-repo.ts'
import { runCli } from '../rig/command-line.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { judgeNewHistory, runCommands } from '../rig/judged-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { approveAtTerminal } from '../rig/terminal.ts'
import { selectOrThrow } from '../rig/selection.ts'
import { bypass, verifyFindings } from '../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const WIDEN = `sed -i '/INT-001/s|src/..|**|' ${REGISTRY}`
const COMMIT = `git add -A; git commit -qm wider -m 'Governance: wider'`

const template = fixture(() => hookedRepo({ start: null }))

/** An agent runs a command, which widens its scope, and its session ends in some way. */
async function widenedBy(end: (repo: Repo) => Promise<unknown>): Promise<Repo> {
  const repo = await copyGoverned(template())
  await judgeNewHistory(repo)
  const agent = claudeSession(repo, 's')
  await agent.willRun('widen')
  await repo.run('sh', ['-ec', WIDEN])
  await expect(agent.hasRun('widen')).rejects.toThrow('governance-plane')
  await end(repo)
  return repo
}

const endByHook = (repo: Repo) => claudeSession(repo, 's').say('SessionEnd', { reason: 'other' })

const refusedCommit = async (repo: Repo) => {
  const { code, stderr } = await runCommands(repo, COMMIT)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`${REGISTRY} is a governance file, and an agent w`),
  })
}

test('what an agent wrote needs an approval after its session was ended by its hook (48b)', async () => {
  await using repo = await widenedBy(endByHook)
  await refusedCommit(repo)
  expect(await approveAtTerminal(repo)).toBe(0)
  expect(await runCommands(repo, COMMIT)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await judgeNewHistory(repo)).toEqual([])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`review governance-loosened ${REGISTRY} in wider`])
})

test.each<[string, (repo: Repo) => Promise<unknown>]>([
  ['by kotef session end (49b)', repo => runCli(repo, 'session', 'end', 's')],
  ['by removing its file (49c)', repo => repo.run('rm', ['-r', '.git/kotef/sessions'])],
  ['with its intent (49d)', repo => runCli(repo, 'intent', 'abandon', 'INT-001', '--reason', 'x')],
])('so it does after its session was ended %s', async (_, end) => {
  await using repo = await widenedBy(end)
  await refusedCommit(repo)
})

test('past the hooks it is found afterwards, and blocks a range beside the ledger', async () => {
  await using repo = await widenedBy(endByHook)
  await runCommands(repo, bypass('wider', 'Governance: wider'))
  expect(await judgeNewHistory(repo)).toContain(`governance-by-agent ${REGISTRY} in wider`)
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`block governance-loosened ${REGISTRY} in wider`])
})

test('a push says so as well', async () => {
  await using repo = await widenedBy(endByHook)
  const push = `git init -q --bare .git/there; git remote add origin .git/there
    git -c core.hooksPath=/dev/null push -q origin HEAD
    ${bypass('wider', 'Governance: wider')}; git push -q origin HEAD`
  const { code, stderr } = await runCommands(repo, push)
  expect(code).not.toBe(0)
  expect(stderr).toMatch(/block {2}\w{10} wider: .* may touch more/)
})

const BY_AGENT = expect.objectContaining({ code: 3, stderr: expect.stringContaining('a person must') })

// The session's process is this one, so every command here runs below it.
describe('for a process below an agent, whatever it unset (11b, 11c, 15b, 49b)', () => {
  const below = fixture(async () => {
    const repo = await copyGoverned(template())
    await selectOrThrow(repo, { pid: process.pid, clock: systemClock })
    await repo.git('worktree', 'add', '-q', '../other')
    return repo
  })

  test.each([
    ['approve', 'repo'],
    ['approve', 'other'],
    ['intent start INT-002', 'other'],
    ['session end', 'repo'],
    ['session end', 'other'],
    ['intent complete INT-001 --attest', 'repo'],
    ['intent block INT-001', 'other'],
  ])('kotef %s is refused in the worktree %s', async (words, folder) => {
    const cwd = `${below().base}/${folder}`
    expect(await below().run('kotef', words.split(' '), { cwd })).toEqual(BY_AGENT)
  })
})

test('nor for one in the window of an agent’s command, as long as it is open', async () => {
  await using repo = await copyGoverned(template())
  const agent = claudeSession(repo, 's')
  await agent.willRun('x')
  expect(await repo.kotef('session', 'end')).toEqual(BY_AGENT)
  await agent.hasRun('x')
  expect(await repo.kotef('session', 'end')).toMatchObject({ code: 0 })
})

test('a governance commit in another worktree is the agent’s too (49e)', async () => {
  await using repo = await copyGoverned(template())
  await claudeSession(repo, 's').willRun('x')
  const other = `git worktree add -qb o ../other; cd ../other; ${WIDEN}; ${COMMIT}`
  const { code, stderr } = await runCommands(repo, other)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('an agent works here: claude') })
})

/** An agent as a process, whose session `s` has selected INT-001. */
async function startSelected(repo: Repo): Promise<AgentWithServer> {
  const agent = await startAgent(repo, { session: 's', hasServer: false })
  await selectOrThrow(repo, { agent: 'generic', pid: agent.pid, clock: systemClock })
  return agent
}

/** A command that reports something of the call in which it runs, in place of the agent. */
const report = (...payloads: readonly object[]) =>
  payloads.map(it => `echo '${JSON.stringify({ session: 's', ...it })}' | kotef agent-hook generic >../said`).join('; ')

const CALL = { tool: 'Bash', input: { command: 'make' }, call: 'c' }
const OVER = { event: 'after-tool', ...CALL }
const ENDED = { event: 'session-end' }

describe.each<[string, string]>([
  ['the end of its session (48c)', report(ENDED)],
  ['the end of its turn, and then of its session (48g)', report({ event: 'stop' }, ENDED)],
  ['its own end, and then the one of its session', report(OVER, ENDED)],
  ['a call of its own, and then the end of all', report({ event: 'before-tool', ...CALL }, OVER, ENDED)],
  [
    'the end of its session, from a process that it has detached',
    `setsid sh -c "${report(ENDED).replaceAll('"', '\\"')}" &
    until ls .git/kotef/sessions/ended/*; do :; done`,
  ],
])('a command that reports %s', (_, reports) => {
  test('is the agent’s as long as it runs, and a person’s commit is not', async () => {
    await using repo = await copyGoverned(template())
    await using agent = await startSelected(repo)
    expect(await agent.hook({ event: 'before-tool', ...CALL })).toMatchObject({ code: 0 })
    const { code, stderr } = await agent.run(`${reports}; ${WIDEN}; ${COMMIT}`)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('an agent works here: generic') })
    await agent.hook(OVER)
    expect(await writeCredits(repo)).toEqual([expect.stringContaining(`${REGISTRY} window s`)])
  })
})

test('nor is a verb of a person for such a command, and a commit of a person is one afterwards', async () => {
  await using repo = await copyGoverned(template())
  await using agent = await startSelected(repo)
  await agent.hook({ event: 'before-tool', ...CALL })
  const { code, stderr } = await agent.run(`${report(ENDED)}; kotef intent start INT-002`)
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('a person must') })
  await agent.hook(OVER)
  expect(await runCommands(repo, `echo '# x' >>${REGISTRY}; ${COMMIT}`)).toMatchObject({ code: 0 })
})

test('a variable of an agent is enough where nothing else is left (48f)', async () => {
  await using repo = await copyGoverned(template())
  const env = { CLAUDECODE: '1' }
  const { code, stderr } = await runCommands(repo, `${WIDEN}; ${COMMIT}`, env)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('an agent works here: CLAUDECODE is set'),
  })
})

test('a governance file that is written while an agent runs on after its session is nobody’s by its time', async () => {
  await using repo = await copyGoverned(template())
  await using _daemon = await startWatching(repo)
  const write = async () => {
    await repo.run('sh', ['-ec', `echo '# x' >>${REGISTRY}`])
    return (await flushedRecords(repo)).at(-1)?.metadata['dev.kotef']
  }
  const agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  await agent.hook(ENDED)
  expect(await write()).not.toHaveProperty('agents')
  await agent.kill()
  expect(await write()).toMatchObject({ agents: 'idle' })
})

test('the process of a call is the agent’s, also where its hook is started with a limit', async () => {
  await using repo = await copyGoverned(template())
  await using agent = await startSelected(repo)
  await agent.run(report({ event: 'before-tool', ...CALL }).replace('kotef', 'timeout 50 kotef'))
  expect(await repo.run('sh', ['-c', 'cat .git/kotef/windows/*'])).toMatchObject({
    stdout: expect.stringContaining(`"pid":${agent.pid},`),
  })
})

test('an end is the agent’s that a hook reports which is started as the one of the begin', async () => {
  await using repo = await copyGoverned(template())
  await using agent = await startSelected(repo)
  for (const payload of [{ event: 'before-tool', ...CALL }, OVER]) {
    await repo.write('../payload', JSON.stringify({ session: 's', ...payload }))
    await agent.run('kotef agent-hook generic <../payload; :')
    const windows = (await repo.run('ls', ['.git/kotef/windows'])).stdout
    expect(windows === '').toBe(payload === OVER)
  }
})
