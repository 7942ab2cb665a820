import { expect, test } from 'vitest'
import { endAgentSession } from '../../../src/world/lifecycle/agent-session.ts'
import { announceCall } from '../../../src/world/recording/agent-activity/call-announcements.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { writeCredits } from '../../rig/agent-hooks.ts'
import { manualClock } from '../../rig/manual-clock.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { idleRepo, spawnMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { claimHolders } from '../../rig/selection.ts'
import { startAgent, type AgentWithServer } from '../../rig/agent-with-server.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'

const SELECT = 'mcp__kotef__select_active_intent'
const first = { intent_id: 'INT-001' }

test('what the MCP server selects is held by the session of the hook, with its agent and model', async () => {
  await using repo = await idleRepo()
  await using agent = await startAgent(repo, { session: 'run 1', model: 'vendor/m' })
  expect(await agent.select('INT-001')).toMatchObject({ status: 'success', session: 'run 1' })
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 'run 1' })
  // A knock is good for one call, and nothing is left of it.
  expect((await repo.play('ls .git/kotef/knocks')).stdout).toBe('')
  const [session, ...others] = await sessionsIn(repo)
  expect(others).toEqual([])
  expect(session).toMatchObject({
    id: 'run 1',
    agent: 'agent of run 1',
    model: 'vendor/m',
    intent: 'INT-001',
    pid: agent.pid,
  })
  expect(await agent.call('request_approval', { what: 'w', reason: 'r' })).toMatchObject({ status: 'success' })
  expect((await repo.play('cat .git/kotef/requests/*')).stdout).toContain('"session": "run 1"')
})

test('without a hook the server has a session of its own, and beside a hook that knocks it has as well', async () => {
  await using repo = await idleRepo()
  await using alone = await startAgent(repo, { session: 'never told' })
  const { session } = await alone.call('select_active_intent', first)
  expect(session).toMatch(/^[\da-f-]{36}$/)
  await using agent = await startAgent(repo, { session: 's' })
  await agent.announce(SELECT, 'INT-404')
  expect(await alone.call('select_active_intent', first)).toMatchObject({ session })
})

test('a hook that is heard after the selection takes its intent over', async () => {
  await using repo = await idleRepo()
  await using agent = await startAgent(repo, { session: 'late' })
  await agent.call('select_active_intent', first)
  expect(await agent.select('INT-001')).toMatchObject({ session: 'late' })
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 'late' })
  expect((await sessionsIn(repo)).map(it => it['id'])).toEqual(['late'])
})

test('an agent that begins anew in the same process is bound anew, and no stranger takes its server', async () => {
  await using repo = await idleRepo()
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'other', '--scope', 'lib/**')
  await using agent = await startAgent(repo, { session: 'before' })
  await agent.select('INT-001')
  await using stranger = await startAgent(repo, { session: 'stranger' })
  await stranger.announce(SELECT, 'INT-002')
  const other = { intent_id: 'INT-002' }
  expect(await agent.call('select_active_intent', other)).toMatchObject({ error_type: 'session-locked' })
  expect(await agent.select('INT-002', 'after')).toMatchObject({ session: 'after' })
})

test('when the client goes, the session of its hook goes on', async () => {
  await using repo = await idleRepo()
  const agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  await agent.kill()
  await using again = await startAgent(repo, { session: 's' })
  expect(await again.select('INT-001')).toMatchObject({ session: 's', resumed: true })
})

test('when the agent itself is gone, its intent is free for the next one', async () => {
  await using repo = await idleRepo()
  const agent = await startAgent(repo, { session: 'dead' })
  await agent.select('INT-001')
  await using next = await startAgent(repo, { session: 'next' })
  expect(await next.select('INT-001')).toMatchObject({ error_type: 'claim-held' })
  await agent.kill()
  expect(await next.select('INT-001')).toMatchObject({ status: 'success' })
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 'next' })
  expect(await ledgerEvents(repo)).toContainEqual(
    expect.objectContaining({ event: 'session-ended', session: 'dead', intent: 'INT-001' }),
  )
})

test('who goes on with a session as another process keeps its intent', async () => {
  await using repo = await idleRepo()
  const agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  await agent.kill()
  await using again = await startAgent(repo, { session: 's' })
  expect(await again.hook({ event: 'session-start' })).toMatchObject({ code: 0 })
  await using next = await startAgent(repo, { session: 'next' })
  expect(await next.select('INT-001')).toMatchObject({ error_type: 'claim-held' })
})

test('KOTEF_SESSION says whose a server is, whoever knocks', async () => {
  await using repo = await idleRepo()
  await using agent = await startAgent(repo, { session: 's', env: { KOTEF_SESSION: 'given' } })
  expect(await agent.select('INT-001')).toMatchObject({ session: 'given' })
})

test('two agents in one worktree that select at once are each bound by their own hook, in 20 rounds', async () => {
  await using repo = await idleRepo()
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'other', '--scope', 'lib/**')
  await using one = await startAgent(repo, { session: 'one' })
  await using other = await startAgent(repo, { session: 'other' })
  for (let round = 0; round < 20; round++) {
    const [a, b, intent] = [`one ${round}`, `other ${round}`, round % 2 === 0 ? 'INT-001' : 'INT-002']
    // Both have knocked before either calls, and the later one calls first.
    await one.announce(SELECT, 'INT-001', a)
    await other.announce(SELECT, intent, b)
    const said = await Promise.all([
      other.call('select_active_intent', { intent_id: intent }),
      one.call('select_active_intent', first),
    ])
    const bound = said.map(it => it['session'] ?? it['error_type'])
    const won = bound.includes(a) ? ['claim-held', a] : [b, 'claim-held']
    expect(bound).toEqual(intent === 'INT-001' ? won : [b, a])
    for (const it of [a, b]) await endAgentSession(await openWorkspace(repo.root), it)
    expect(await claimHolders(repo)).toEqual({})
  }
})

test('two agents with different intents in one worktree: each write lands on the right session', async () => {
  await using repo = await idleRepo()
  await runCliOrThrow(repo, 'intent', 'add', '--name', 'other', '--scope', 'lib/**')
  await using _daemon = await startWatching(repo)
  await using one = await startAgent(repo, { session: 'one', model: 'vendor/m' })
  await using other = await startAgent(repo, { session: 'other' })
  await Promise.all([one.select('INT-001'), other.select('INT-002')])
  const write = async (agent: AgentWithServer, path: string) => {
    await agent.hook({ event: 'write-start', path })
    await repo.write(path, 'x\n')
    await agent.hook({ event: 'write', path })
  }
  for (const n of [1, 2, 3]) await Promise.all([write(one, `src/${n}`), write(other, `lib/${n}`)])
  const own = [1, 2, 3].map(n => `src/${n} claimed one vendor/m INT-001`)
  const others = [1, 2, 3].map(n => `lib/${n} claimed other - INT-002`)
  expect((await writeCredits(repo)).filter(it => /^(src|lib)/.test(it)).sort()).toEqual([...others, ...own])
})

const DAMAGED_REQUESTS = {
  'is half written': '{"session":"thief","agent":"a"',
  'is no object': '7',
  'has no host of this world':
    '{"session":"thief","agent":"a","tool":"select_active_intent","at":1,"host":"x","pids":[]}',
}

test(`a knock that ${Object.keys(DAMAGED_REQUESTS).join(', or ')}, is passed over`, async () => {
  await using repo = await idleRepo()
  for (const [n, request] of Object.values(DAMAGED_REQUESTS).entries())
    await repo.write(`.git/kotef/knocks/${Date.now()}-${n}.json`, request, 0o600)
  await repo.play('mkdir .git/kotef/knocks/17-y.json; ln -s /nowhere .git/kotef/knocks/18-z.json')
  await using mcp = await spawnMcp(repo)
  const { isError, value } = await mcp.call('select_active_intent', first)
  expect(isError).toBe(false)
  expect(value['session']).toMatch(/^[\da-f-]{36}$/)
})

test('a knock of long ago, or one that others may write, is nobody’s', async () => {
  await using repo = await idleRepo()
  await using mcp = await spawnMcp(repo)
  const workspace = await openWorkspace(repo.root, { clock: manualClock(Date.now() - 700_000) })
  await announceCall(workspace, { ...nobody, session: 'old' })
  await announceCall(await openWorkspace(repo.root), { ...nobody, session: 'open' })
  await repo.play('chmod 0666 .git/kotef/knocks/*')
  expect((await mcp.call('select_active_intent', first)).value['session']).toMatch(/^[\da-f-]{36}$/)
})

test('no more than 65 knocks are kept, and none of long ago', async () => {
  await using repo = await idleRepo()
  const clock = manualClock(Date.now())
  const workspace = await openWorkspace(repo.root, { clock })
  await repo.write('.git/kotef/knocks/what else lies here', 'x')
  for (let n = 0; n < 80; n++) await announceCall(workspace, { ...nobody, session: String(n) })
  expect((await workspace.files.list(`${workspace.gitDir}/kotef/knocks`)).length).toBe(65)
  clock.advance(600_001)
  await announceCall(workspace, { ...nobody, session: 'last' })
  expect((await workspace.files.list(`${workspace.gitDir}/kotef/knocks`)).length).toBe(1)
})

const nobody = { agent: 'a', model: null, tool: SELECT, intent: 'INT-001' }

async function sessionsIn(repo: Repo): Promise<Record<string, unknown>[]> {
  const { files, gitDir } = await openWorkspace(repo.root)
  const names = (await files.list(`${gitDir}/kotef/sessions`)).filter(it => it.endsWith('.json'))
  const texts = await Promise.all(names.map(it => files.read(`${gitDir}/kotef/sessions/${it}`)))
  return texts.map(it => JSON.parse(String(it)) as Record<string, unknown>)
}
