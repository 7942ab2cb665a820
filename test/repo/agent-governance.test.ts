import { describe, expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { claudeSession, writeCredits } from '../rig/agent-hooks.ts'
import { startAgent } from '../rig/agent-with-server.ts'
import { flushedRecords, startWatching } from '../rig/governed-repo.ts'
import { runCli } from '../rig/command-line.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { judgeNewHistory, playOrThrow, runCommands } from '../rig/judged-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { startAtTerminal } from '../rig/terminal.ts'
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

test.each<[string, (repo: Repo) => Promise<unknown>]>([
  ['by its hook (48b)', repo => claudeSession(repo, 's').say('SessionEnd', { reason: 'other' })],
  ['by kotef session end (49b)', repo => runCli(repo, 'session', 'end', 's')],
  ['by removing its file (49c)', repo => repo.run('rm', ['-r', '.git/kotef/sessions'])],
  ['with its intent (49d)', repo => runCli(repo, 'intent', 'abandon', 'INT-001', '--reason', 'x')],
])('what an agent wrote needs an approval after its session was ended %s', async (_, end) => {
  await using repo = await widenedBy(end)
  const { code, stderr } = await runCommands(repo, COMMIT)
  expect({ code, stderr }).toMatchObject({ code: 1 })
  expect(stderr).toContain(`${REGISTRY} is a governance file, and an agent w`)
  await using terminal = startAtTerminal(repo, ['approve'])
  await terminal.line(/exactly as shown above/)
  terminal.type('y')
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await runCommands(repo, COMMIT)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await judgeNewHistory(repo)).toEqual([])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`review governance-loosened ${REGISTRY} in wider`])
})

const endByHook = (repo: Repo) => claudeSession(repo, 's').say('SessionEnd', { reason: 'other' })

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
test.each([
  'approve',
  'intent start INT-002',
  'session end',
  'intent complete INT-001 --attest',
  'intent block INT-001',
])(
  'kotef %s is not for a process below an agent, in any worktree and whatever it unset (11b, 11c, 15b, 49b)',
  async words => {
    await using repo = await copyGoverned(template())
    await selectOrThrow(repo, { pid: process.pid })
    await repo.git('worktree', 'add', '-q', '../other')
    for (const cwd of [repo.root, `${repo.base}/other`])
      expect(await repo.run('kotef', words.split(' '), { cwd })).toEqual(BY_AGENT)
  },
)

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
    await using agent = await startAgent(repo, { session: 's' })
    await agent.select('INT-001')
    expect(await agent.hook({ event: 'before-tool', ...CALL })).toMatchObject({ code: 0 })
    const { code, stderr } = await agent.run(`${reports}; kotef intent start INT-002; ${WIDEN}; ${COMMIT}`)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('an agent works here: generic') })
    expect(stderr).toContain('a person must')
    await agent.hook(OVER)
    expect(await writeCredits(repo)).toEqual([expect.stringContaining(`${REGISTRY} window s`)])
    await repo.git('reset', '-q', '--hard')
    const own = `echo '# x' >>${REGISTRY}; ${COMMIT}`
    expect(await runCommands(repo, own)).toMatchObject({ code: 0 })
  })
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
  await using agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  await agent.run(report({ event: 'before-tool', ...CALL }).replace('kotef', 'timeout 50 kotef'))
  expect(await repo.run('sh', ['-c', 'cat .git/kotef/windows/*'])).toMatchObject({
    stdout: expect.stringContaining(`"pid":${agent.pid},`),
  })
})

test('an end is the agent’s that a hook reports which is started as the one of the begin', async () => {
  await using repo = await copyGoverned(template())
  await using agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  for (const payload of [{ event: 'before-tool', ...CALL }, OVER]) {
    await repo.write('../payload', JSON.stringify({ session: 's', ...payload }))
    await agent.run('kotef agent-hook generic <../payload; :')
    const windows = (await repo.run('ls', ['.git/kotef/windows'])).stdout
    expect(windows === '').toBe(payload === OVER)
  }
})

/** A scope that was wide, and was narrowed by a person. */
async function narrowedRepo(): Promise<Repo> {
  const repo = await copyGoverned(template())
  await playOrThrow(repo, `cp ${REGISTRY} ../narrow; ${WIDEN}; ${bypass('wide', 'Governance: wide')}`)
  await playOrThrow(repo, `cp ../narrow ${REGISTRY}; ${bypass('narrow', 'Governance: narrow')}`)
  await judgeNewHistory(repo)
  return repo
}

describe('a revert that takes back a narrower scope', () => {
  test('is not for an agent (68c)', async () => {
    await using repo = await narrowedRepo()
    const agent = claudeSession(repo, 's')
    await agent.willRun('revert')
    const { code, stderr } = await runCommands(repo, 'git revert -n HEAD; git commit -q --no-edit')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('an agent works here: claude') })
    await expect(agent.hasRun('revert')).rejects.toThrow('governance-plane')
    await using terminal = startAtTerminal(repo, ['approve'])
    await terminal.line(/exactly as shown above/)
    terminal.type('y')
    expect(await terminal.ended).toMatchObject({ code: 0 })
    expect(await runCommands(repo, 'git commit -q --no-edit')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await judgeNewHistory(repo)).toEqual([])
    expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([
      `review governance-loosened ${REGISTRY} in Revert "narrow"`,
    ])
  })

  // Git runs no hook for a clean revert that may stop it.
  test.each([
    ['a clean one', 'git revert --no-edit HEAD >../said'],
    ['one past the hooks (68g)', 'git -c core.hooksPath=/dev/null revert --no-edit HEAD >../said'],
  ])('is found afterwards, and blocks a range beside the ledger: %s', async (_, revert) => {
    await using repo = await narrowedRepo()
    await claudeSession(repo, 's').willRun('revert')
    await playOrThrow(repo, revert)
    expect(await judgeNewHistory(repo)).toEqual([`governance-by-agent ${REGISTRY} in Revert "narrow"`])
    expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([
      `block governance-loosened ${REGISTRY} in Revert "narrow"`,
    ])
  })

  test('is a person’s own where no agent is', async () => {
    await using repo = await narrowedRepo()
    expect(await runCommands(repo, 'git revert --no-edit HEAD >../said')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await judgeNewHistory(repo)).toEqual([])
  })
})

test('the registry of another commit, committed beside an agent past the hooks, blocks a range (68i)', async () => {
  await using repo = await narrowedRepo()
  await claudeSession(repo, 's').willRun('checkout')
  await playOrThrow(repo, `git checkout -q HEAD^ -- ${REGISTRY}; ${bypass('wide', 'Governance: again')}`)
  expect(await judgeNewHistory(repo)).toEqual([`governance-by-agent ${REGISTRY} in wide`])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`block governance-loosened ${REGISTRY} in wide`])
})
