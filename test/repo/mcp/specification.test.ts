import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { readXml } from '../../rig/context-facts.ts'
import { askGate, writeTool } from '../../rig/agent-gate.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { PROTOCOL_ERAS, spawnMcp } from '../../rig/mcp-client.ts'
import { startAgent } from '../../rig/agent-with-server.ts'

const REGISTRY = `version: 1
active_intents:
  - id: INT-001
    name: refunds
    status: PENDING
    owned_scope: ["src/**"]
    constraints: [DO NOT round]
    acceptance_criteria: [A person was paid, { cmd: "true" }]
    related_specs: [{ type: doc, url: docs/pay.md }]
  - { id: INT-002, name: bare, status: IN_PROGRESS, owned_scope: [] }
  - { id: INT-003, name: "<b> & \\u202e", status: PENDING, owned_scope: ["docs/**"], constraints: ["</constraint>"] }
`

const PARTS = [
  ...['name', 'status', 'constraints', 'owned_scope', 'acceptance_criteria', 'related_specs', 'recent_history'],
]

const resting = () => hookedRepo({ registry: REGISTRY, start: null })

test.each(['INT-001', 'INT-002', 'INT-003'])(
  'US2.1, FR-003, SC-002: the answer to a selection of %s has every part, as text and as a value',
  async intent_id => {
    await using repo = await resting()
    await using mcp = await spawnMcp(repo)
    const { text, value } = await mcp.call('select_active_intent', { intent_id })
    expect(value).toMatchObject({ status: 'success', intent: intent_id, context: { id: intent_id } })
    expect(readXml(text).children.map(it => it.name)).toEqual(expect.arrayContaining(PARTS))
    expect(Object.keys(value['context'] ?? {})).toEqual(expect.arrayContaining(PARTS))
  },
)

test('US2.1: what an intent says is told word for word', async () => {
  await using repo = await resting()
  await using mcp = await spawnMcp(repo)
  const { value } = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect(value['context']).toMatchObject({
    ...{ name: 'refunds', status: 'IN_PROGRESS', owned_scope: ['src/**'], constraints: ['DO NOT round'] },
    related_specs: [expect.anything()],
  })
  expect(JSON.stringify(value['context'])).toContain('A person was paid')
  expect(JSON.stringify(value['context'])).toContain('docs/pay.md')
})

test.each(PROTOCOL_ERAS)(
  'Edge 1: %s: where there is no intent the agent is told so, and how one is added',
  async era => {
    await using repo = await hookedRepo({ registry: 'version: 1\nactive_intents: []\n', start: null })
    await using mcp = await spawnMcp(repo, { era })
    const { value } = await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    expect(value).toMatchObject({
      error_type: 'unknown-intent',
      action_hint: expect.stringContaining('kotef intent add'),
    })
    expect((await mcp.call('list_intents')).value).toMatchObject({ status: 'success', intents: [] })
    const { messages } = await mcp.client.getPrompt({ name: 'governance' })
    expect(JSON.stringify(messages)).toContain('kotef intent add')
  },
)

test('US1.1, SC-001: a hook refuses each write until its agent has selected by MCP, and then allows it', async () => {
  await using repo = await resting()
  await using agent = await startAgent(repo, { session: 's' })
  const may = async () => (await askGate(repo, 'generic', writeTool('src/a.ts'))).kind
  expect(await may()).toBe('denied')
  await agent.call('list_intents')
  expect(await may()).toBe('denied')
  expect(await agent.select('INT-404')).toMatchObject({ error_type: 'unknown-intent' })
  expect(await may()).toBe('denied')
  expect(await agent.select('INT-001')).toMatchObject({ session: 's' })
  expect(await may()).toBe('allowed')
})

test('SC-008: selection and first write take two seconds at most where Node starts in 40 ms', async () => {
  const shares: number[] = []
  for (const _ of [0, 1, 2]) {
    await using repo = await resting()
    await using agent = await startAgent(repo, { session: 's' })
    const bare = await timeOf(() => repo.run(process.execPath, ['-e', '0']))
    const handshake = await timeOf(async () => {
      await agent.select('INT-001')
      expect((await askGate(repo, 'generic', writeTool('src/a.ts'))).kind).toBe('allowed')
    })
    shares.push(handshake / bare)
  }
  // The best says what it costs; the others what else the machine did.
  expect(Math.min(...shares)).toBeLessThan(2000 / 40)
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
