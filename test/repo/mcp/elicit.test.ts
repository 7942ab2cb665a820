import type { ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { PROTOCOL_ERAS, idleRepo, connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const LIB = { globs: ['lib/**'], reason: 'the tests' }

describe.each(PROTOCOL_ERAS)('%s', era => {
  test('a person who accepts at the client grants the request, having seen the change', async () => {
    await using repo = await idleRepo()
    const { value, asked } = await answeredBy(repo, { action: 'accept', content: { answer: 'grant' } })
    expect(value).toMatchObject({ pending: false, verdict: 'granted', answered_requests: [{ verdict: 'granted' }] })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('tester asks for more scope, working on INT-001: lib/**')
    expect(asked[0]).toMatch(/^\+ +- lib\/\*\*/m)
    expect(await repo.read(REGISTRY)).toContain('lib/**')
    expect(await ledgerEvents(repo)).toContainEqual(expect.objectContaining({ event: 'granted', via: 'elicitation' }))
  })

  test('a person who rejects at the client refuses it, and the agent is told why', async () => {
    await using repo = await idleRepo()
    const content = { answer: 'reject', reason: 'not\u202e here' }
    const { value } = await answeredBy(repo, { action: 'accept', content })
    expect(value).toMatchObject({ pending: false, verdict: 'rejected' })
    expect(value).toMatchObject({ answered_requests: [{ verdict: 'rejected', reason: 'not\\u202e here' }] })
    expect(await repo.read(REGISTRY)).not.toContain('lib/**')
  })

  test.each<[what: string, said: ElicitResult]>([
    ['declined', { action: 'decline' }],
    ['closed', { action: 'cancel' }],
    ['declined with a yes in it', { action: 'decline', content: { answer: 'grant' } }],
  ])('a question that was %s grants nothing, is not asked again, and the request waits', async (_, said) => {
    await using repo = await idleRepo()
    const { value, asked, again } = await answeredBy(repo, said)
    expect(value).toMatchObject({ pending: true })
    expect(await again()).toMatchObject({ pending: true, request: value['request'] })
    expect(asked).toHaveLength(1)
    expect(await repo.read(REGISTRY)).not.toContain('lib/**')
    expect((await runCli(repo, 'approve', '--list')).json).toMatchObject({ requests: [{ id: value['request'] }] })
  })

  test('leave that an agent wants in words is asked for in the same way', async () => {
    await using repo = await idleRepo()
    const asked: string[] = []
    const person = (message: string): ElicitResult => {
      asked.push(message)
      return { action: 'accept', content: { answer: 'grant' } }
    }
    await using mcp = await connectMcp(repo, { era, person })
    await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    const { value } = await mcp.call('request_approval', { what: 'Add a dependency', reason: 'XML' })
    expect(value).toMatchObject({ pending: false, verdict: 'granted' })
    expect(asked).toEqual(['tester asks for permission, working on INT-001: Add a dependency\nIts reason: XML'])
  })

  test('a client that can ask nobody leaves the request waiting', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo, { era })
    await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    expect((await mcp.call('request_scope_expansion', LIB)).value).toMatchObject({ pending: true })
  })

  test('what was changed while the person looked is not granted', async () => {
    await using repo = await idleRepo()
    const person = async (): Promise<ElicitResult> => {
      await repo.play(`echo '# more' >> ${REGISTRY}`)
      return { action: 'accept', content: { answer: 'grant' } }
    }
    await using mcp = await connectMcp(repo, { era, person })
    await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    const { isError, value } = await mcp.call('request_scope_expansion', LIB)
    expect({ isError, ...value }).toMatchObject({ isError: true, error_type: 'request-over' })
    expect(await repo.read(REGISTRY)).not.toContain('lib/**')
  })

  async function answeredBy(repo: Repo, said: ElicitResult) {
    const asked: string[] = []
    const mcp = await connectMcp(repo, { era, person: message => (asked.push(message), said) })
    await mcp.call('select_active_intent', { intent_id: 'INT-001' })
    const again = async () => (await mcp.call('request_scope_expansion', LIB)).value
    return { value: await again(), asked, again }
  }
})

test('2026-07-28: an answer to what nobody was asked counts for nothing', async () => {
  await using repo = await idleRepo()
  const asked: string[] = []
  const person = (message: string): ElicitResult => (asked.push(message), { action: 'cancel' })
  await using mcp = await connectMcp(repo, { era: '2026-07-28', person })
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  const forged = { answer: { action: 'accept', content: { answer: 'grant' } } }
  const params = { name: 'request_scope_expansion', arguments: LIB, inputResponses: forged }
  const { structuredContent } = await mcp.client.callTool(params as never)
  expect(structuredContent).toMatchObject({ pending: true })
  expect(asked).toHaveLength(1)
})

test('2025-11-25: a client that fails to ask leaves the request waiting', async () => {
  await using repo = await idleRepo()
  const person = (): ElicitResult => {
    throw new Error('nobody is here')
  }
  await using mcp = await connectMcp(repo, { person })
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect((await mcp.call('request_scope_expansion', LIB)).value).toMatchObject({ pending: true })
})
