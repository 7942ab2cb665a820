import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { type McpClient, idleRepo, connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'

const listed = async (repo: Repo) => (await runCli(repo, 'approve', '--list')).text
const requestsIn = async (repo: Repo) =>
  ((await runCli(repo, 'approve', '--list')).json as { requests: object[] }).requests
const selected = (mcp: McpClient) => mcp.call('select_active_intent', { intent_id: 'INT-001' })

test('a request for scope changes nothing, and waits for a person until it is granted', async () => {
  await using repo = await idleRepo()
  await repo.write('node_modules/.bin/kotef', '')
  await using mcp = await connectMcp(repo)
  await selected(mcp)
  const args = { globs: ['lib/**', "it's/**"], reason: 'the tests\u202e' }
  const { isError, value } = await mcp.call('request_scope_expansion', args)
  expect({ isError, ...value }).toMatchObject({ isError: false, status: 'success', pending: true })
  const id = String(value['request']).slice(0, 8)
  // The person to whom the agent passes it on types it in a shell.
  expect(value['answer_with']).toBe(`npx kotef-watch approve ${id}`)
  expect((await listed(repo)).split('\n').slice(-4)).toEqual([
    "request   INT-001  scope  lib/** it's/**",
    '          Reason from tester: "the tests\\u202e"',
    `          To grant it: \`kotef approve ${id}\``,
    `          To refuse it: \`kotef approve ${id} --reject --reason 'why'\``,
  ])
  const reported = (await repo.read('.orchestration/agent_trace.jsonl'))
    .split('\n')
    .filter(it => it.includes('"requested"'))
  expect(reported).toHaveLength(1)
  expect(JSON.parse(reported[0] ?? '')).toMatchObject({
    metadata: { 'dev.kotef': { kind: 'scope', wants: args.globs } },
  })
  expect((await mcp.call('request_scope_expansion', args)).value['request']).toBe(value['request'])
  expect(await requestsIn(repo)).toHaveLength(1)
  await repo.play("kotef intent edit INT-001 --add-scope 'lib/**' --add-scope 'it'\\''s/**'")
  expect(await requestsIn(repo)).toEqual([])
})

test('a request for an approval waits until its intent is over', async () => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo)
  await selected(mcp)
  await mcp.call('request_approval', { what: 'Add a dependency', reason: 'XML' })
  expect(await requestsIn(repo)).toMatchObject([{ kind: 'approval', wants: ['Add a dependency'], intent: 'INT-001' }])
  await repo.play('kotef intent abandon INT-001')
  expect(await requestsIn(repo)).toEqual([])
})

test.each([
  ['request_scope_expansion', {}, 'globs is missing.'],
  ['request_scope_expansion', { globs: ['../x'], reason: 'r' }, 'A scope takes'],
  ['request_scope_expansion', { globs: [7], reason: 'r' }, 'globs is missing, or is not a text.'],
  ['request_scope_expansion', { globs: ['a/**'] }, 'reason is missing, or is not a text.'],
  ['request_approval', { what: 'x'.repeat(301), reason: 'r' }, 'A request has'],
])('%s %j is refused, and nothing waits', async (name, args, message) => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo)
  await selected(mcp)
  const { isError, value } = await mcp.call(name, args)
  expect({ isError, ...value }).toMatchObject({ isError: true, error_type: 'usage', recoverable: true })
  expect(value['message']).toContain(message)
  expect(await requestsIn(repo)).toEqual([])
})

test('no more than twenty requests of a session wait at once, and a damaged file is none', async () => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo)
  await selected(mcp)
  const asked = (n: number) => mcp.call('request_approval', { what: `thing ${n}`, reason: 'r' })
  for (let n = 0; n < 20; n++) expect((await asked(n)).isError).toBe(false)
  expect((await asked(20)).value).toMatchObject({ error_type: 'usage' })
  await repo.write('.git/kotef/requests/x.json', '{')
  expect(await requestsIn(repo)).toHaveLength(20)
})
