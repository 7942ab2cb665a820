import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openCodePlugin } from '../../../src/core/agents/opencode-plugin.ts'
import { runAgentHook, spawnAgentHook, unhookedRepo, writeCredits } from '../../rig/agent-hooks.ts'
import { bindSession } from '../../rig/agent-gate.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'
import { sendPayload, AGENT_PAYLOADS } from '../../rig/agent-payloads.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'

describe.each(AGENT_PAYLOADS.map(it => [it.agent, it] as const))('%s', (agent, voice) => {
  test('US1.2, FR-014: a write is refused before a selection, and out of scope, in the agent’s own way', async () => {
    await using repo = await unselectedRepo()
    // The process is the same program for all agents.
    const run = agent === 'codex' ? spawnAgentHook : runAgentHook
    const refused = async (path: string) =>
      JSON.parse(voice.refusal(await run(repo, agent, JSON.stringify(voice.before(path, repo)))) ?? '{}')
    expect(await refused('src/a')).toMatchObject({ message: 'You must cite a valid active Intent ID.' })
    await bindSession(repo, { agent })
    expect(await refused('src/a')).toEqual({})
    expect(await refused('docs/a')).toMatchObject({ error_type: 'scope-violation', path: 'docs/a' })
  })

  test('a write is claimed with its session, its model as far as it is known, and its intent', async () => {
    await using repo = await unhookedRepo()
    await runCliOrThrow(repo, 'session', 'end')
    await bindSession(repo, { agent })
    await using _daemon = await startWatching(repo)
    if (agent === 'gemini') {
      const asked = { hook_event_name: 'BeforeModel', llm_request: { model: 'gemini-x' } }
      await sendPayload(repo, voice, { ...voice.before('', repo), ...asked })
    }
    if (agent === 'opencode') await sendPayload(repo, voice, { event: 'prompt', session: 's', model: 'maker/m' })
    await sendPayload(repo, voice, voice.before('src/a', repo))
    await repo.write('src/a', 'x\n')
    await sendPayload(repo, voice, voice.after('src/a', repo))
    const model = { gemini: 'google/gemini-x', opencode: 'maker/m' }[agent] ?? voice.model ?? '-'
    expect(await writeCredits(repo)).toEqual([`src/a claimed s ${model} INT-001`])
  })

  test('FR-004, FR-006, FR-010, SC-004: what its model is to know is told where it reads it', async () => {
    await using repo = await unselectedRepo()
    const reported = async () => {
      const { stdout, code } = await sendPayload(repo, voice, voice.prompt(repo))
      return { code, text: String(voice.contextIn(JSON.parse(stdout) as Record<string, unknown>)) }
    }
    expect(await reported()).toMatchObject({
      code: 0,
      text: expect.stringContaining('You are an Intent-Driven Architect.'),
    })
    await bindSession(repo, { agent })
    expect(await reported()).toMatchObject({
      code: 0,
      text: expect.stringMatching(/<intent_context[^]*INT-001[^]*src\/\*\*/),
    })
  })

  test('FR-011, SC-007: what can’t be understood is refused where somebody governs, and nowhere else', async () => {
    await using repo = await unselectedRepo()
    await using free = await temporaryRepo()
    for (const garbage of ['{', '{"session_id":7}']) {
      expect(voice.refusal(await sendPayload(repo, voice, garbage)), garbage).toMatch(/"status":"error"/)
    }
    expect(voice.refusal(await sendPayload(free, voice, '{'))).toBeNull()
  })

  test('FR-011, SC-007: where nobody can say what is allowed, a write is refused, and told why', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo, { agent })
    await repo.write('.orchestration/active_intents.yaml', 'active_intents: [')
    const refusal = voice.refusal(await sendPayload(repo, voice, voice.before('src/a', repo)))
    expect(JSON.parse(refusal ?? '{}')).toMatchObject({ error_type: 'orchestration-unavailable', recoverable: false })
  })
})

const codex = (command: string, cwd: string) => ({
  ...{ session_id: 's', cwd, model: 'gpt-x', tool_name: 'apply_patch', tool_input: { command }, tool_use_id: 'c' },
})
const patch = '*** Begin Patch\n*** Add File: src/a\n+a\n*** Update File: src/old\n*** Move to: src/new\n*** End Patch'

test.each([true, false])(
  'a patch of several files is claimed for each of them; watched by a daemon: %j',
  async isWatched => {
    await using repo = await unhookedRepo()
    await runCliOrThrow(repo, 'session', 'end')
    await bindSession(repo, { agent: 'codex' })
    await using _daemon = isWatched ? await startWatching(repo) : { [Symbol.asyncDispose]: async () => {} }
    const voice = { ...AGENT_PAYLOADS[0], agent: 'codex' } as (typeof AGENT_PAYLOADS)[number]
    const reported = codex(patch, repo.root)
    expect(voice.refusal(await sendPayload(repo, voice, { ...reported, hook_event_name: 'PreToolUse' }))).toBeNull()
    await repo.play('echo a > src/a; mv src/old src/new; echo b >> src/new; echo c > src/by-hand')
    await sendPayload(repo, voice, { ...reported, hook_event_name: 'PostToolUse' })
    const own = (await writeCredits(repo)).filter(it => it.includes('claimed')).sort()
    // The moved and edited file is one record, under its new path.
    expect(own).toEqual(['src/a', 'src/new'].map(it => `${it} claimed s openai/gpt-x INT-001`))
    expect((await repo.run('ls', ['.git/kotef/windows'])).stdout).toBe('')
  },
)

test('trap: Copilot runs the hook that was written for Claude Code, and is refused in its own way', async () => {
  await using repo = await unselectedRepo()
  const payload = {
    ...{ session_id: 's', timestamp: '2026-11-20T10:00:00.000Z', cwd: repo.root, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Write', tool_input: { path: `${repo.root}/src/a`, file_text: 'x' } },
  }
  const input = JSON.stringify(payload)
  const { code, stdout } = await repo.run('kotef', ['agent-hook', 'claude'], { input })
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { permissionDecision: 'deny' }])
})

test('OpenCode’s plugin and its hook understand each other', async () => {
  await using repo = await unselectedRepo()
  const path = join(repo.base, 'plugin.mjs')
  await writeFile(path, openCodePlugin(`PATH='${repo.env()['PATH']}' kotef agent-hook opencode`))
  const { Kotef } = await import(pathToFileURL(path).href)
  const client = { session: { get: async () => ({ data: { id: 's' } }) } }
  const plugin = await Kotef({ client, directory: repo.root, worktree: repo.root })
  const write = (name: string) =>
    plugin['tool.execute.before']({ tool: 'write', sessionID: 's', callID: 'c' }, { args: { filePath: name } })
  await expect(write('src/a')).rejects.toThrow('You must cite a valid active Intent ID.')
  await bindSession(repo, { agent: 'opencode' })
  await expect(write('docs/a')).rejects.toThrow('Scope Violation')
  await write('src/a')
})
