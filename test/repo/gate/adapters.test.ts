import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openCodePlugin } from '../../../src/agents/opencode-plugin.ts'
import { adopted, creditsIn } from '../../rig/agents.ts'
import { bind } from '../../rig/gate.ts'
import { watching } from '../../rig/governed.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { restingRepo } from '../../rig/selecting.ts'
import { heardIn, VOICES } from '../../rig/voices.ts'

describe.each(VOICES.map(it => [it.agent, it] as const))('%s', (agent, voice) => {
  test('US1.2, FR-014: a write is refused before a selection, and out of scope, in the agent’s own way', async () => {
    await using repo = await restingRepo()
    const refused = async (path: string) =>
      JSON.parse(voice.refusal(await heardIn(repo, voice, voice.before(path, repo))) ?? '{}') as object
    expect(await refused('src/a')).toMatchObject({ message: 'You must cite a valid active Intent ID.' })
    await bind(repo, { agent })
    expect(await refused('src/a')).toEqual({})
    expect(await refused('docs/a')).toMatchObject({ error_type: 'scope-violation', path: 'docs/a' })
  })

  test('a write is claimed with its session, its model as far as it is known, and its intent', async () => {
    await using repo = await adopted()
    await repo.kotef('session', 'end')
    await bind(repo, { agent })
    await using _daemon = await watching(repo)
    if (agent === 'gemini') {
      const asked = { hook_event_name: 'BeforeModel', llm_request: { model: 'gemini-x' } }
      await heardIn(repo, voice, { ...voice.before('', repo), ...asked })
    }
    if (agent === 'opencode') await heardIn(repo, voice, { event: 'prompt', session: 's', model: 'maker/m' })
    await heardIn(repo, voice, voice.before('src/a', repo))
    await repo.write('src/a', 'x\n')
    await heardIn(repo, voice, voice.after('src/a', repo))
    const model = { gemini: 'google/gemini-x', opencode: 'maker/m' }[agent] ?? voice.model ?? '-'
    expect(await creditsIn(repo)).toEqual([`src/a claimed s ${model} INT-001`])
  })

  test('FR-004, FR-006, FR-010, SC-004: what its model is to know is told where it reads it', async () => {
    await using repo = await restingRepo()
    const told = async () => {
      const { stdout, code } = await heardIn(repo, voice, voice.prompt(repo))
      return { code, text: String(voice.told(JSON.parse(stdout) as Record<string, unknown>)) }
    }
    expect(await told()).toMatchObject({
      code: 0,
      text: expect.stringContaining('You are an Intent-Driven Architect.'),
    })
    await bind(repo, { agent })
    expect(await told()).toMatchObject({
      code: 0,
      text: expect.stringMatching(/<intent_context[^]*INT-001[^]*src\/\*\*/),
    })
  })

  test('FR-011, SC-007: what can’t be understood is refused where somebody governs, and nowhere else', async () => {
    await using repo = await restingRepo()
    await using free = await temporaryRepo()
    for (const garbage of ['{', '{"session_id":7}']) {
      expect(voice.refusal(await heardIn(repo, voice, garbage)), garbage).toMatch(/"status":"error"/)
    }
    expect(voice.refusal(await heardIn(free, voice, '{'))).toBeNull()
  })

  test('FR-011, SC-007: where nobody can say what is allowed, a write is refused, and told why', async () => {
    await using repo = await restingRepo()
    await bind(repo, { agent })
    await repo.write('.orchestration/active_intents.yaml', 'active_intents: [')
    const refusal = voice.refusal(await heardIn(repo, voice, voice.before('src/a', repo)))
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
    await using repo = await adopted()
    await repo.kotef('session', 'end')
    await bind(repo, { agent: 'codex' })
    await using _daemon = isWatched ? await watching(repo) : { [Symbol.asyncDispose]: async () => {} }
    const voice = { ...VOICES[0], agent: 'codex' } as (typeof VOICES)[number]
    const told = codex(patch, repo.root)
    expect(voice.refusal(await heardIn(repo, voice, { ...told, hook_event_name: 'PreToolUse' }))).toBeNull()
    await repo.play('echo a > src/a; mv src/old src/new; echo b >> src/new; echo c > src/by-hand')
    await heardIn(repo, voice, { ...told, hook_event_name: 'PostToolUse' })
    const own = (await creditsIn(repo)).filter(it => it.includes('claimed')).sort()
    expect(own).toEqual(['src/a', 'src/new', 'src/old'].map(it => `${it} claimed s openai/gpt-x INT-001`))
    expect((await repo.run('ls', ['.git/kotef/windows'])).stdout).toBe('')
  },
)

test('trap: Copilot runs the hook that was written for Claude Code, and is refused in its own way', async () => {
  await using repo = await restingRepo()
  const payload = {
    ...{ session_id: 's', timestamp: '2026-11-20T10:00:00.000Z', cwd: repo.root, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Write', tool_input: { path: `${repo.root}/src/a`, file_text: 'x' } },
  }
  const input = JSON.stringify(payload)
  const { code, stdout } = await repo.run('kotef', ['agent-hook', 'claude'], { input })
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { permissionDecision: 'deny' }])
})

test('OpenCode’s plugin and its hook understand each other', async () => {
  await using repo = await restingRepo()
  const path = join(repo.base, 'plugin.mjs')
  await writeFile(path, openCodePlugin(`PATH='${repo.env()['PATH']}' kotef agent-hook opencode`))
  const { Kotef } = await import(pathToFileURL(path).href)
  const client = { session: { get: async () => ({ data: { id: 's' } }) } }
  const plugin = await Kotef({ client, directory: repo.root, worktree: repo.root })
  const write = (name: string) =>
    plugin['tool.execute.before']({ tool: 'write', sessionID: 's', callID: 'c' }, { args: { filePath: name } })
  await expect(write('src/a')).rejects.toThrow('You must cite a valid active Intent ID.')
  await bind(repo, { agent: 'opencode' })
  await expect(write('docs/a')).rejects.toThrow('Scope Violation')
  await write('src/a')
})
