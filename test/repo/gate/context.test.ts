import { describe, expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { readXml } from '../../rig/context-facts.ts'
import { GATED_AGENTS, bindSession, callHook, useTool, writeTool } from '../../rig/agent-gate.ts'
import { unselectedRepo } from '../../rig/selection.ts'

const MANDATE =
  'You are an Intent-Driven Architect. You CANNOT write code immediately. Your first action MUST be to analyze the ' +
  'user request and call select_active_intent to load the necessary context.'

describe.each(GATED_AGENTS)('%s', agent => {
  test('US3.1, US3.2, FR-004, FR-005: before a selection a prompt brings the mandate and the intents', async () => {
    await using repo = await unselectedRepo()
    for (const at of ['prompt', 'compacted', 'prompt'] as const) {
      const { kind, text } = await callHook(repo, agent, { at })
      expect(kind).toBe('context')
      expect(text).toContain(MANDATE)
      expect(text).toMatch(/id="INT-001"[^>]*>work</)
      expect(text).not.toContain('INT-004')
    }
  })

  test('US3.3, US4.1, US4.2, FR-006, FR-010, FR-012: after it a prompt brings the intent and its work', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    const first = await callHook(repo, agent, { at: 'prompt' })
    expect(readXml(first.text)).toBeTruthy()
    expect(first.text).toContain('<glob>src/**</glob>')
    expect(first.text).not.toContain('You CANNOT write code immediately')
    expect(first.text).not.toContain('src/made.ts')
    await useTool(repo, agent, { ...writeTool('src/made.ts'), does: () => repo.write('src/made.ts', 'made\n') })
    for (const at of ['prompt', 'compacted'] as const)
      expect((await callHook(repo, agent, { at })).text).toMatch(/<file state="[0-9a-f]{40}"[^>]*>src\/made\.ts</)
  })

  test.each([
    ['COMPLETED', ['intent', 'complete', 'INT-001', '--attest'], /start a new session/],
    ['ABANDONED', ['intent', 'abandon', 'INT-001'], /start a new session/],
    ['BLOCKED', ['intent', 'block', 'INT-001'], /a person reopens it/],
  ])('US5.2: of an intent that is %s the agent is told what to do instead', async (status, words, way) => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    expect((await runCli(repo, ...words)).failure).toBeNull()
    const { kind, text } = await callHook(repo, agent, { at: 'prompt' })
    expect(kind).toBe('context')
    expect(text).toContain(`The intent of this session is ${status}.`)
    expect(text).toMatch(way)
    expect(text).not.toContain('<owned_scope>')
  })

  test('FR-011: where nothing can be told, the agent is told that, and why', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    for (const damage of ['rm .orchestration/active_intents.yaml', 'echo garbage > .git/HEAD']) {
      await repo.play(damage)
      const { kind, text, exit } = await callHook(repo, agent, { at: 'prompt' })
      expect({ kind, exit }).toEqual({ kind: 'context', exit: 0 })
      expect(text).toMatch(/orchestration unavailable.*refused/s)
    }
  })
})

test('SC-005: over a dozen turns the agent is told its intent with each', async () => {
  await using repo = await unselectedRepo()
  await bindSession(repo)
  for (let turn = 0; turn < 12; turn++)
    expect((await callHook(repo, 'claude', { at: 'prompt' })).text).toContain('<glob>src/**</glob>')
})
