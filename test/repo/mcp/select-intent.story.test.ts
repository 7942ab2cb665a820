import { expect, test } from 'vitest'
import { governedRepo } from '../../rig/governed-repo.ts'
import { readXml, entryTexts } from '../../rig/context-facts.ts'
import { PROTOCOL_ERAS, idleRepo, connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'

const BEFORE = ['select_active_intent', 'list_intents']
const AFTER = [...BEFORE, 'intent_context', 'where_is', 'request_scope_expansion', 'request_approval', 'record_lesson']

test.each(PROTOCOL_ERAS)(
  'US1.1, FR-008: %s: two tools are listed until an intent is selected, then all, and the client is told',
  async era => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo, { era })
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(era)
    expect(await mcp.tools()).toEqual(BEFORE)
    const selected = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    expect(selected.isError).toBe(false)
    expect(await mcp.changed).toEqual(AFTER)
    expect(await mcp.tools()).toEqual(AFTER)
  },
)

test('the way to an intent is shown to the model of Claude Code before it asks for it', async () => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo)
  const { tools } = await mcp.client.listTools()
  const [shown] = tools.filter(it => it._meta?.['anthropic/alwaysLoad'] === true)
  expect(shown?.name).toBe('select_active_intent')
})

test('FR-001: a selection answers with the context as text and as a value, and with the session', async () => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo, { name: 'a client\u202e' })
  const { text, value } = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect(entryTexts(readXml(text), 'owned_scope')).toEqual(['src/**'])
  expect(value).toMatchObject({
    status: 'success',
    intent: 'INT-001',
    context: { id: 'INT-001', owned_scope: ['src/**'] },
  })
  expect(await sessionsIn(repo)).toContainEqual(
    expect.objectContaining({ id: value['session'], intent: 'INT-001', agent: 'a client\\u202e', kind: 'agent' }),
  )
})

test.each(PROTOCOL_ERAS)(
  'US1.2, FR-009: %s: before the selection every other tool is refused by its handler',
  async era => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo, { era })
    for (const name of ['intent_context', 'request_scope_expansion', 'record_lesson', 'write_file', '__proto__']) {
      const { isError, text, value } = await mcp.call(name)
      expect(isError).toBe(true)
      expect(value).toEqual({
        status: 'error',
        error_type: 'intent-not-selected',
        message: 'You must cite a valid active Intent ID.',
        action_hint: expect.stringContaining('select_active_intent'),
        recoverable: true,
      })
      expect(JSON.parse(text)).toEqual(value)
    }
  },
)

test('list_intents says of each intent whether it can be selected', async () => {
  await using repo = await idleRepo()
  await addIntents(repo)
  await using mcp = await connectMcp(repo)
  const { value } = await mcp.call('list_intents')
  expect(value).toMatchObject({
    selected: null,
    intents: [
      { id: 'INT-001', name: 'the work', selectable: 'yes' },
      { id: 'INT-002', owned_scope: 'lib/**', selectable: 'no', why_not: 'waits for INT-001' },
      { id: 'INT-003', selectable: 'no', why_not: 'is ABANDONED' },
      { id: 'INT-004', selectable: 'yes' },
    ],
  })
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect((await mcp.call('list_intents')).value).toMatchObject({ selected: 'INT-001' })
})

test('what another session holds is not selectable, unless the config lets several share it (solo A16)', async () => {
  await using repo = await idleRepo()
  await using first = await connectMcp(repo)
  await first.call('select_active_intent', { intent_id: 'INT-001' })
  await using second = await connectMcp(repo)
  const listed = async () => (await second.call('list_intents')).value['intents']
  const whyNot = expect.stringMatching(/^is held by tester \(session /) as string
  expect(await listed()).toMatchObject([{ id: 'INT-001', selectable: 'no', why_not: whyNot }])
  await repo.write('.orchestration/config.yaml', 'claims: allow\n')
  expect(await listed()).toMatchObject([{ id: 'INT-001', selectable: 'yes' }])
  await repo.write('.orchestration/config.yaml', '')
  await first[Symbol.asyncDispose]()
  expect(await listed()).toMatchObject([{ id: 'INT-001', selectable: 'yes' }])
})

test.each([
  ['of no intent', { intent_id: 'INT-404' }, 'unknown-intent', /There is no intent INT-404[^]*INT-001/],
  ['of an abandoned one', { intent_id: 'INT-003' }, 'illegal-transition', /INT-003 is ABANDONED/],
  ['of one that waits', { intent_id: 'INT-002' }, 'dependency-unmet', /INT-002 waits for INT-001/],
  ['of nothing', {}, 'usage', /intent_id is missing/],
  ['of what is no text', { intent_id: { id: 'INT-001' } }, 'usage', /intent_id is missing/],
  ['of a shell word', { intent_id: '$(touch x)' }, 'unknown-intent', /There is no intent \$\(touch x\)/],
])(
  'US1.3, FR-007, SC-006: a selection %s is refused, and nothing is selected',
  async (_, args, error_type, message) => {
    await using repo = await idleRepo()
    await addIntents(repo)
    await using mcp = await connectMcp(repo)
    const { isError, value } = await mcp.call('select_active_intent', args)
    expect({ isError, ...value }).toMatchObject({ isError: true, error_type, recoverable: true })
    expect(value['message']).toMatch(message)
    expect(await mcp.tools()).toEqual(BEFORE)
  },
)

test('FR-013: a session has one intent for its life: another is refused, the same one is answered again', async () => {
  await using repo = await idleRepo()
  await addIntents(repo)
  await using mcp = await connectMcp(repo)
  const first = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  const other = await mcp.call('select_active_intent', { intent_id: 'INT-004' })
  expect(other.value).toMatchObject({
    error_type: 'session-locked',
    action_hint: expect.stringContaining('new session'),
  })
  const again = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect(again.value['session']).toBe(first.value['session'])
  expect((await mcp.call('intent_context')).value).toMatchObject({ intent: 'INT-001' })
  expect((await mcp.call('write_file')).value).toMatchObject({ status: 'error', error_type: 'unknown-tool' })
})

test('a session that KOTEF_SESSION names, and that has an intent already, goes on with it', async () => {
  await using repo = await governedRepo()
  const session = (await sessionsIn(repo)).at(-1)?.['id'] ?? ''
  await using mcp = await connectMcp(repo, { env: { KOTEF_SESSION: session } })
  expect(await mcp.tools()).toEqual(AFTER)
  expect((await mcp.call('intent_context')).value).toMatchObject({ intent: 'INT-001' })
})

test('when the client goes, the session is over, and its intent is free for the next one', async () => {
  await using repo = await idleRepo()
  await using server = repo.start('kotef', ['mcp'])
  const select = { name: 'select_active_intent', arguments: { intent_id: 'INT-001' } }
  server.type(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: select })}\n`)
  expect(await server.line(/"id":1/)).toContain('"status":"success"')
  expect((await repo.play('ls .git/kotef/sessions/*.json')).code).toBe(0)
  server.close()
  await server.ended
  expect((await repo.play('ls .git/kotef/sessions/*.json')).code).not.toBe(0)
  await using mcp = await connectMcp(repo)
  expect((await mcp.call('select_active_intent', { intent_id: 'INT-001' })).isError).toBe(false)
})

test.each(PROTOCOL_ERAS)(
  'FR-012: %s: the registry is a resource, and the governance section a resource and a prompt',
  async era => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo, { era })
    const read = async (uri: string) => JSON.stringify((await mcp.client.readResource({ uri })).contents)
    const prompt = async () => JSON.stringify((await mcp.client.getPrompt({ name: 'governance' })).messages)
    const { resources } = await mcp.client.listResources()
    expect(resources.map(it => it.uri)).toEqual(['kotef://registry', 'kotef://governance', 'kotef://map'])
    expect((await mcp.client.listPrompts()).prompts.map(it => it.name)).toEqual(['governance'])
    expect(await read('kotef://registry')).toContain('id: INT-001')
    expect(await read('kotef://governance')).toContain('You CANNOT write code immediately')
    expect(await prompt()).toContain('You CANNOT write code immediately')
    await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    expect(await read('kotef://governance')).toContain('This session works on INT-001')
    expect(await prompt()).toContain('This session works on INT-001')
    await expect(read('kotef://nothing')).rejects.toThrow(/not found/i)
    await expect(mcp.client.getPrompt({ name: 'other' })).rejects.toThrow('There is no prompt other.')
  },
)

// The second waits for the first, the third is closed, the fourth can be selected.
async function addIntents(repo: Repo): Promise<void> {
  const more = [
    '  - { id: INT-002, name: later, status: PENDING, owned_scope: ["lib/**"], depends_on: [INT-001] }',
    '  - { id: INT-003, name: never, status: ABANDONED }',
    '  - { id: INT-004, name: other, status: PENDING, owned_scope: ["doc/**"] }',
  ]
  const path = '.orchestration/active_intents.yaml'
  await repo.write(path, `${await repo.read(path)}${more.join('\n')}\n`)
}

async function sessionsIn(repo: Repo): Promise<Record<string, string>[]> {
  const { stdout } = await repo.run('sh', ['-c', 'cat .git/kotef/sessions/*.json | tr -d "\\n"'])
  return JSON.parse(`[${stdout.replaceAll('}{', '},{')}]`) as Record<string, string>[]
}

test('where_is finds code by words, and the map is a resource', async () => {
  await using repo = await idleRepo()
  await repo.write('src/pay.ts', 'export function chargeCard() {}\n')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'work', '-m', 'Intent-ID: INT-001')
  await using mcp = await connectMcp(repo)
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  const { text, value } = await mcp.call('where_is', { words: 'charging a card' })
  expect(text).toBe('src/pay.ts:1  function  chargeCard  [INT-001]  charging (name), card (name)')
  expect(value).toMatchObject({ places: [{ path: 'src/pay.ts', line: 1, name: 'chargeCard', intents: ['INT-001'] }] })
  expect((await mcp.call('where_is', {})).isError).toBe(true)
  const { contents } = await mcp.client.readResource({ uri: 'kotef://map' })
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('function  chargeCard') })
})
