import { describe, expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { claimHolders, unselectedRepo } from '../../rig/selection.ts'

describe('kotef select', () => {
  test('binds the session of an agent to its intent, and prints the context', async () => {
    await using repo = await unselectedRepo()
    const { text, json } = await runCli(repo, 'select', 'INT-001', '--session', 's', '--agent', 'aider', '--model', 'm')
    expect(text).toMatch(/^<intent_context>[^]*INT-001[^]*<\/intent_context>$/)
    expect(json).toMatchObject({ status: 'success', intent: 'INT-001', session: 's', resumed: false })
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
    expect((await runCli(repo, 'session', 'list')).json).toMatchObject({
      sessions: [{ id: 's', agent: 'aider', model: 'm', intent: 'INT-001' }],
    })
    expect((await runCli(repo, 'select', 'INT-001', '--session', 's')).json).toMatchObject({ resumed: true })
  })

  test.each([
    { id: 'INT-404', error_type: 'unknown-intent' },
    { id: 'INT-003', error_type: 'illegal-transition' },
    { id: 'INT-006', error_type: 'dependency-unmet' },
  ])('of $id is refused with exit 1: $error_type', async ({ id, error_type }) => {
    await using repo = await unselectedRepo()
    const { exit, text, json } = await runCli(repo, 'select', id, '--session', 's')
    expect(exit).toBe(1)
    expect(JSON.parse(text)).toMatchObject({ status: 'error', error_type, recoverable: true })
    expect(json).toEqual(JSON.parse(text))
    expect(await claimHolders(repo)).toEqual({})
  })

  test('of a claimed intent is refused, and says who holds it', async () => {
    await using repo = await unselectedRepo()
    await runCli(repo, 'select', 'INT-001', '--session', 's')
    const { exit, json } = await runCli(repo, 'select', 'INT-001', '--session', 't')
    expect([exit, json]).toMatchObject([1, { error_type: 'claim-held', message: expect.stringContaining('session s') }])
  })

  test('without a session asks for one', async () => {
    await using repo = await unselectedRepo()
    expect((await runCli(repo, 'select', 'INT-001')).failure).toMatchObject({ code: 'usage', exit: 2 })
  })
})
