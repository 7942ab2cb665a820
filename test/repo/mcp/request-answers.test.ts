import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { idleRepo, type McpClient, connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { startAtTerminal } from '../../rig/terminal.ts'
import { startAgent } from '../../rig/agent-with-server.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const LIB = { globs: ['lib/**'], reason: 'the tests' }

test('a granted scope is added to the registry, whose comments stay, and told in the ledger', async () => {
  await using repo = await commented()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, LIB)
  const { text, failure } = await runCli(repo, 'approve', id, '--yes')
  expect(failure).toBeNull()
  expect(text.split('\n')).toEqual([
    'Granted: lib/**.',
    '  Recorded without proof that a person did it: no question was answered at a terminal.',
    '  INT-001 has the new scope once the registry is committed.',
    `  Commit the registry with \`git commit -m "widen INT-001" -m "Governance: widen INT-001" ${REGISTRY}\`.`,
  ])
  const after = await repo.read(REGISTRY)
  expect(after).toContain('# kept\n')
  expect(after).toMatch(/- src\/\*\* # why\n\s+- lib\/\*\*\n/)
  expect(await answersIn(repo)).toEqual([
    { event: 'granted', request: id, session: expect.anything(), kind: 'scope', via: 'command', person: 'unproved' },
  ])
})

test('what was granted can be committed by the agent itself, just as it was shown, and then holds', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  await runCliOrThrow(repo, 'approve', await askedFor(mcp, LIB), '--yes')
  const owners = async () => (await runCli(repo, 'scope', 'lib/a')).json as { paths: { owners: string[] }[] }
  expect((await owners()).paths[0]?.owners).toEqual([])
  await repo.git('commit', '-qm', 'widen', '-m', 'Governance: widen', REGISTRY)
  expect((await owners()).paths[0]?.owners).toEqual(['INT-001'])
})

test('what was changed besides is no part of what was granted', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  await runCliOrThrow(repo, 'approve', await askedFor(mcp, LIB), '--yes')
  await repo.play(`echo '# more' >> ${REGISTRY}`)
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Governance: x', REGISTRY])
  expect([code, stderr]).toEqual([1, expect.stringContaining('an agent works here')])
})

test('at a terminal a person sees the change as a diff, and is asked', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, { ...LIB, reason: 'for\u202e it' })
  await using no = startAtTerminal(repo, ['approve', id.slice(0, 8)])
  await no.line(/Grant it, exactly as shown above\?/)
  no.type('n')
  expect(await no.ended).toMatchObject({ code: 1 })
  const shown = no.lines.join('\n')
  expect(shown).toContain('tester (session ')
  expect(shown).toContain('asks for more scope, working on INT-001: lib/**')
  expect(shown).toContain('Its reason: "for\\u202e it"')
  expect(shown).toMatch(/^\+ +- lib\/\*\*/m)
  expect(await repo.read(REGISTRY)).not.toContain('lib/**')
  await using yes = startAtTerminal(repo, ['approve', id])
  await yes.line(/Grant it, exactly as shown above\?/)
  yes.type('y')
  expect(await yes.ended).toMatchObject({ code: 0 })
  expect(await answersIn(repo)).toMatchObject([{ event: 'granted', via: 'terminal' }])
  expect(await repo.read(REGISTRY)).toContain('lib/**')
})

test('a request outlives its session, and is the only one, so it needs no id (solo A11)', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, LIB)
  await repo.play('kotef session end; kotef intent block INT-001')
  const command = `\`kotef approve ${id.slice(0, 8)}\``
  expect((await runCli(repo, 'status')).text).toContain(`request  tester asks for lib/** (INT-001): ${command}`)
  expect((await runCli(repo, 'trace')).text).toMatch(new RegExp(`requested       INT-001 lib/\\*\\*: ${command}$`, 'm'))
  expect((await runCli(repo, 'approve', '--yes')).text).toContain('Granted: lib/**.')
})

test('of several requests one has to be named, and a staged change comes first (solo A11)', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  await askedFor(mcp, LIB)
  await repo.play('echo x >> .intentignore; git add .intentignore')
  expect((await runCli(repo, 'approve', '--yes')).failure).toMatchObject({ code: 'person-needed' })
  await repo.git('reset', '-q', '--hard')
  await askedFor(mcp, { globs: ['doc/**'], reason: 'r' })
  expect((await runCli(repo, 'approve', '--reject', '--reason', 'r')).failure).toMatchObject({ code: 'person-needed' })
  expect((await runCli(repo, 'approve', '--list')).json).toMatchObject({ requests: [{}, {}] })
})

test('the next session for the intent gets the answer to what it asks for again (solo A11)', async () => {
  await using repo = await idleRepo()
  await using first = await asking(repo)
  const id = await askedFor(first, LIB)
  await runCliOrThrow(repo, 'session', 'end')
  await using second = await asking(repo)
  expect(await askedFor(second, LIB)).toBe(id)
  await runCliOrThrow(repo, 'approve', '--reject', '--reason', 'no', '--yes')
  expect((await second.call('list_intents')).value).toMatchObject({ answered_requests: [{ request: id }] })
})

test('--list with nothing staged says what to stage (solo A9)', async () => {
  await using repo = await idleRepo()
  const reported = async () => (await runCli(repo, 'approve', '--list')).text
  expect(await reported()).toContain('No governance file has changed.')
  await repo.play(`echo '# more' >> ${REGISTRY}`)
  expect(await reported()).toContain(`\`git add ${REGISTRY} && kotef approve\``)
})

test('a rejected request changes nothing, and takes a reason', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const before = await repo.read(REGISTRY)
  const id = await askedFor(mcp, LIB)
  expect((await runCli(repo, 'approve', id, '--reject', '--yes')).failure).toMatchObject({ code: 'usage' })
  const { text } = await runCli(repo, 'approve', id, '--reject', '--reason', 'not here', '--yes')
  expect(text).toBe('Rejected: lib/**.')
  expect(await repo.read(REGISTRY)).toBe(before)
  expect(await answersIn(repo)).toMatchObject([{ event: 'rejected', reason: 'not here' }])
  expect((await runCli(repo, 'approve', '--list')).json).toMatchObject({ requests: [] })
})

test('the agent is told of an answer with its next call, as a value and as text, and once', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  await runCliOrThrow(repo, 'approve', await askedFor(mcp, LIB), '--yes')
  const id = await askedFor(mcp, { globs: ['doc/**'], reason: 'r' })
  await runCliOrThrow(repo, 'approve', id, '--reject', '--reason', 'no', '--yes')
  const { content, structuredContent } = await mcp.client.callTool({ name: 'list_intents', arguments: {} })
  expect(structuredContent).toMatchObject({
    answered_requests: [{ request: id, verdict: 'rejected', reason: 'no', wants: ['doc/**'] }],
  })
  expect(JSON.stringify(content)).toContain('was rejected. The reason:')
  expect((await mcp.call('list_intents')).value).not.toHaveProperty('answered_requests')
})

test('the hook of the agent that asked tells of an answer as well, and once', async () => {
  await using repo = await idleRepo()
  await using agent = await startAgent(repo, { session: 's' })
  await agent.select('INT-001')
  await agent.announce('mcp__kotef__request_scope_expansion')
  const { request } = await agent.call('request_scope_expansion', LIB)
  await runCliOrThrow(repo, 'approve', String(request), '--reject', '--reason', 'not here', '--yes')
  const prompted = async (session: string) => (await agent.hook({ event: 'prompt', session })).stdout
  expect(await prompted('t')).not.toContain('was rejected')
  expect(await prompted('s')).toContain('was rejected. The reason: \\"not here\\".')
  expect(await prompted('s')).not.toContain('was rejected')
  expect(await agent.call('list_intents')).toMatchObject({ answered_requests: [{ request }] })
})

test('a refused call tells of an answer as well', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  await runCliOrThrow(repo, 'approve', await askedFor(mcp, LIB), '--yes')
  const { isError, value } = await mcp.call('nothing_like_it')
  expect({ isError, ...value }).toMatchObject({ isError: true, answered_requests: [{ verdict: 'granted' }] })
})

test.each<[what: string, around: Record<string, string>, words: string[], message: RegExp]>([
  ['without a terminal', {}, [], /needs a person at a terminal/],
  ['from inside an agent', { CLAUDECODE: '1' }, ['--yes'], /CLAUDECODE is set/],
  ['to reject, without a terminal', {}, ['--reject', '--reason', 'r'], /needs a person at a terminal/],
])('nothing is granted %s', async (_, env, words, message) => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, LIB)
  const { code, stderr } = await repo.run('kotef', ['approve', id, ...words], { env })
  expect([code, stderr]).toEqual([3, expect.stringMatching(message)])
  expect((await runCli(repo, 'approve', '--list')).json).toMatchObject({ requests: [{ id }] })
})

test('the session that asks cannot grant it itself', async () => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo)
  const { value } = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  const id = await askedFor(mcp, LIB)
  const env = { KOTEF_SESSION: String(value['session']) }
  expect((await repo.run('kotef', ['approve', id, '--yes'], { env })).stderr).toContain("tester can't approve")
})

test.each<[what: string, commands: string, why: RegExp]>([
  ['whose intent is finished', 'kotef intent complete INT-001 --attest --reason done', /INT-001 is COMPLETED/],
  ['whose intent is abandoned', 'kotef intent abandon INT-001', /INT-001 is ABANDONED/],
  ['whose scope was given otherwise', "kotef intent edit INT-001 --add-scope 'lib/**'", /has that scope already/],
  ['that was answered', 'kotef approve $ID --yes', /was granted at \d{4}-/],
  ['that is damaged', 'echo { > .git/kotef/requests/$ID.json', /is not pending here/],
])('a request %s is not granted, and it says why', async (_, commands, why) => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, LIB)
  const done = await repo.play(commands, { ID: id })
  expect(done).toMatchObject({ code: 0 })
  const { failure } = await runCli(repo, 'approve', id, '--yes')
  expect(failure).toMatchObject({ code: 'request-over', message: expect.stringMatching(why) })
})

test('of several persons who answer one request at once, one does', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const id = await askedFor(mcp, LIB)
  const words = [['--yes'], ['--yes'], ['--yes', '--reject', '--reason', 'r']]
  const codes = await Promise.all(words.map(async it => (await repo.kotef('approve', id, ...it)).code))
  expect(codes.sort()).toEqual([0, 2, 2])
  expect(await answersIn(repo)).toHaveLength(1)
})

test('leave that was asked for in words is granted without a change', async () => {
  await using repo = await idleRepo()
  await using mcp = await asking(repo)
  const before = await repo.read(REGISTRY)
  const { value } = await mcp.call('request_approval', { what: 'Add a dependency', reason: 'XML' })
  const { text } = await runCli(repo, 'approve', String(value['request']), '--yes')
  expect(text.split('\n')[0]).toBe('Granted: Add a dependency.')
  expect(await repo.read(REGISTRY)).toBe(before)
  expect((await mcp.call('list_intents')).value).toMatchObject({ answered_requests: [{ kind: 'approval' }] })
})

async function asking(repo: Repo): Promise<McpClient> {
  const mcp = await connectMcp(repo)
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  return mcp
}

async function askedFor(mcp: McpClient, args: object): Promise<string> {
  const { value } = await mcp.call('request_scope_expansion', { ...args })
  return String(value['request'])
}

async function answersIn(repo: Repo): Promise<object[]> {
  const events = (await ledgerEvents(repo)).filter(it => /^(granted|rejected)$/.test(String(it['event'])))
  return events.map(({ event, request, session, kind, via, person, reason }) => ({
    ...{ event, request, session, kind, via, person },
    ...(reason === undefined ? {} : { reason }),
  }))
}

async function commented(): Promise<Repo> {
  const repo = await idleRepo()
  const text = (await repo.read(REGISTRY)).replace(/- src\/\*\*/, '- src/** # why')
  await repo.write(REGISTRY, `# kept\n${text}`)
  await repo.git('commit', '-qm', 'comments', '-m', 'Governance: comments', REGISTRY)
  return repo
}
