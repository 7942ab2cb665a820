import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAgent, type AgentWithServer } from '../rig/agent-with-server.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import type { Repo } from '../rig/repo.ts'
import type { RunningProgram } from '../rig/running-program.ts'
import { startAtTerminal, startCommandAtTerminal } from '../rig/terminal.ts'
import { verifyFindings } from '../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'

const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write(CONFIG, 'version: 1\nverify: { governance: strict }\n')
  await repo.git('add', CONFIG)
  await repo.git('commit', '-qm', 'strict', '-m', 'Governance: strict')
  return repo
})

/** An agent as a process, which works on INT-001 and asks for lib/**; the id of its request. */
async function asking(repo: Repo): Promise<{ agent: AgentWithServer; id: string }> {
  const agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  const { request } = await agent.call('request_scope_expansion', { globs: ['lib/**'], reason: 'r' })
  return { agent, id: String(request).slice(0, 8) }
}

const granted = async (repo: Repo) => (await ledgerEvents(repo)).filter(it => it['event'] === 'granted')

async function sayYes(terminal: RunningProgram): Promise<void> {
  await terminal.line(/exactly as shown above/)
  terminal.type('y')
  await terminal.line(/Granted: /)
}

async function commitWiderScope(repo: Repo): Promise<void> {
  await repo.git('commit', '-qm', 'wider', '-m', 'Governance: wider', '--', REGISTRY)
}

test('a grant at a terminal that was open before the agent is proved, and passes a strict verify', async () => {
  await using repo = await copyGoverned(template())
  await using terminal = startCommandAtTerminal(repo, 'exec sh')
  terminal.type('echo op""en\r')
  await terminal.line(/\bopen/)
  const { agent, id } = await asking(repo)
  await using _ = agent
  terminal.type(`kotef approve ${id}\r`)
  await sayYes(terminal)
  expect(terminal.lines.join('\n')).not.toContain('without proof')
  expect(await granted(repo)).toMatchObject([{ via: 'terminal', person: 'proved' }])
  await commitWiderScope(repo)
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`review governance-loosened ${REGISTRY} in wider`])
  expect((await repo.kotef('verify', 'HEAD^..HEAD')).stdout).toContain('A person approved it at a terminal.')
})

test('a grant at a terminal that was opened later is not proved, and a strict verify blocks it', async () => {
  await using repo = await copyGoverned(template())
  const { agent, id } = await asking(repo)
  await using _ = agent
  await using terminal = startAtTerminal(repo, ['approve', id])
  await sayYes(terminal)
  await terminal.line(/without proof that a person did it: this terminal was not open before/)
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await granted(repo)).toMatchObject([{ via: 'terminal', person: 'unproved' }])
  await commitWiderScope(repo)
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`block governance-loosened ${REGISTRY} in wider`])
  const { stdout } = await repo.kotef('verify', 'HEAD^..HEAD')
  expect(stdout).toContain('; it was approved, but that a person did it is not proved')
  expect(stdout).not.toContain('A person approved')
})

test('a grant is not proved where nothing is left of the session that has asked', async () => {
  await using repo = await copyGoverned(template())
  await using terminal = startCommandAtTerminal(repo, 'exec sh')
  terminal.type('echo op""en\r')
  await terminal.line(/\bopen/)
  const { agent, id } = await asking(repo)
  await agent[Symbol.asyncDispose]()
  await rm(join(repo.root, '.git/kotef/sessions'), { recursive: true })
  terminal.type(`kotef approve ${id}\r`)
  await sayYes(terminal)
  await terminal.line(/without proof that a person did it: an agent with a session here has no process/)
  expect(await granted(repo)).toMatchObject([{ via: 'terminal', person: 'unproved' }])
})

test('--yes in a script of a person is not proved', async () => {
  await using repo = await copyGoverned(template())
  const { agent, id } = await asking(repo)
  await using _ = agent
  const { code, stdout } = await repo.kotef('approve', id, '--yes')
  expect([code, stdout]).toEqual([0, expect.stringContaining('no question was answered at a terminal')])
  expect(await granted(repo)).toMatchObject([{ via: 'command', person: 'unproved' }])
})

// Each is a command of a call. What it leaves running waits for `go`, and reports what kotef said.
const ANSWER = (id: string) => `script -qec 'kotef approve ${id}' /dev/null </dev/null`
const WAIT = 'read it <../go'
const LEFT_RUNNING: readonly (readonly [how: string, command: (id: string) => string])[] = [
  ['with setsid', id => `setsid sh -c "${WAIT}; ${ANSWER(id)} >../said 2>&1" >../left 2>&1 &`],
  ['with nohup', id => `nohup sh -c "${WAIT}; ${ANSWER(id)} >../said 2>&1" >../left 2>&1 &`],
  [
    'with another environment',
    id => `env -i PATH="$PATH" HOME="$HOME" setsid sh -c "${WAIT}; ${ANSWER(id)} >../said 2>&1" >../left 2>&1 &`,
  ],
  ['with --yes', id => `setsid sh -c "${WAIT}; kotef approve ${id} --yes >../said 2>&1" >../left 2>&1 &`],
]

test.each(LEFT_RUNNING)('what a call left running %s answers nothing after the call', async (_how, command) => {
  await using repo = await copyGoverned(template())
  await repo.play('mkfifo ../go ../said')
  const { agent, id } = await asking(repo)
  await using _ = agent
  await agent.hook({ event: 'exec-start', call: 'c' })
  await agent.run(command(id))
  await agent.hook({ event: 'exec-end', call: 'c' })
  const said = repo.run('cat', ['../said'])
  await repo.play('echo >../go')
  expect((await said).stdout).toMatch(/A command of [\w ]+ started this, and can't approve; a person must/)
  expect(await granted(repo)).toEqual([])
})

test('nothing that runs in a call answers, whichever terminal it makes', async () => {
  await using repo = await copyGoverned(template())
  const { agent, id } = await asking(repo)
  await using _ = agent
  await agent.hook({ event: 'exec-start', call: 'c' })
  for (const command of [`kotef approve ${id} --yes`, ANSWER(id), `setsid --wait ${ANSWER(id)}`]) {
    const { stdout, stderr } = await agent.run(command)
    expect(stdout + stderr, command).toMatch(/agent of s runs this, and can't approve; a person must/)
  }
  expect(await granted(repo)).toEqual([])
})

test('what starts again after the call is granted, and is not proved', async () => {
  await using repo = await copyGoverned(template())
  await repo.play('mkfifo ../go ../said')
  const { agent, id } = await asking(repo)
  await using _ = agent
  await agent.hook({ event: 'exec-start', call: 'c' })
  const again = `setsid sh -c 'kotef approve ${id} --yes >../said 2>&1' &`
  await agent.run(`setsid sh -c "${WAIT}; ${again}" >../left 2>&1 &`)
  await agent.hook({ event: 'exec-end', call: 'c' })
  const said = repo.run('cat', ['../said'])
  await repo.play('echo >../go')
  expect((await said).stdout).toContain('without proof that a person did it')
  expect(await granted(repo)).toMatchObject([{ person: 'unproved' }])
})
