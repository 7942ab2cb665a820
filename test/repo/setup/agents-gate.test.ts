import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { adoptedRepo } from '../../rig/installation.ts'

const REFUSAL = 'You must cite a valid active Intent ID.'

const template = fixture(async () => {
  const template = await adoptedRepo()
  const names = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'cline', 'opencode']
  await runCliOrThrow(template, 'init', '--yes', ...names.flatMap(it => ['--agent', it]))
  return template
})

type Answer = Readonly<Record<string, unknown>>
type Row = {
  readonly file: string
  readonly event: string
  readonly payload: (root: string) => object
  /** Of its answer what keeps this agent from going on, and is read by its model. */
  readonly refusal: (answer: Answer) => unknown
  readonly exit: number
}

const hookOutput = (answer: Answer) => answer['hookSpecificOutput'] as Answer
const write = (root: string) => ({ file_path: join(root, 'src.ts'), content: 'x' })

const rows: Readonly<Record<string, Row>> = {
  claude: {
    file: '.claude/settings.json',
    event: 'PreToolUse',
    payload: cwd => ({
      session_id: 's',
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: write(cwd),
    }),
    refusal: it => hookOutput(it)['permissionDecision'] === 'deny' && hookOutput(it)['permissionDecisionReason'],
    exit: 0,
  },
  codex: {
    file: '.codex/hooks.json',
    event: 'PreToolUse',
    payload: cwd => ({
      ...{ session_id: 's', turn_id: 't', cwd, hook_event_name: 'PreToolUse', model: 'm', tool_name: 'apply_patch' },
      tool_input: { command: '*** Begin Patch\n*** Update File: src.ts\n@@\n+x\n*** End Patch' },
    }),
    refusal: it => hookOutput(it)['permissionDecision'] === 'deny' && hookOutput(it)['permissionDecisionReason'],
    exit: 0,
  },
  gemini: {
    file: '.gemini/settings.json',
    event: 'BeforeTool',
    payload: cwd => ({
      ...{ session_id: 's', cwd, hook_event_name: 'BeforeTool', tool_name: 'write_file', tool_input: write(cwd) },
    }),
    refusal: it => it['decision'] === 'deny' && it['reason'],
    exit: 0,
  },
  copilot: {
    file: '.github/hooks/kotef.json',
    event: 'preToolUse',
    payload: cwd => ({
      ...{ sessionId: 's', timestamp: 1, cwd, toolName: 'create' },
      toolArgs: JSON.stringify({ path: join(cwd, 'src.ts'), file_text: 'x' }),
    }),
    refusal: it => it['permissionDecision'] === 'deny' && it['permissionDecisionReason'],
    exit: 2,
  },
  cursor: {
    file: '.cursor/hooks.json',
    event: 'preToolUse',
    payload: cwd => ({
      ...{ conversation_id: 's', session_id: 's', hook_event_name: 'preToolUse', workspace_roots: [cwd], cwd },
      ...{ tool_name: 'Write', tool_input: write(cwd), tool_use_id: 'u' },
    }),
    refusal: it => it['permission'] === 'deny' && it['user_message'],
    exit: 0,
  },
}

test.each(Object.entries(rows))('FR-009: %s, as init has told it, is refused a write', async (_, row) => {
  await using repo = await copyGoverned(template())
  const { hooks } = JSON.parse(await repo.read(row.file)) as { hooks: Record<string, Answer[]> }
  const [entry] = hooks[row.event] ?? []
  const hook = (entry?.['hooks'] as Answer[] | undefined)?.[0] ?? entry
  const command = String(hook?.['bash'] ?? hook?.['command'])
  const input = JSON.stringify(row.payload(repo.root))
  const { code, stdout } = await repo.run('sh', ['-c', command], { input })
  expect(code).toBe(row.exit)
  expect(row.refusal(JSON.parse(stdout) as Answer)).toContain(REFUSAL)
})

test('FR-009: Cline, as init has told it, is refused a write', async () => {
  await using repo = await copyGoverned(template())
  const preToolUse = { toolName: 'write_to_file', parameters: { path: 'src.ts', content: 'x' } }
  const input = JSON.stringify({ taskId: 's', hookName: 'PreToolUse', workspaceRoots: [repo.root], preToolUse })
  const { stdout } = await repo.run(join(repo.root, '.clinerules/hooks/PreToolUse'), [], { input })
  expect(JSON.parse(stdout)).toMatchObject({ cancel: true, errorMessage: expect.stringContaining(REFUSAL) as unknown })
})

test.each([
  ['is not set up', 'rm -r .git/kotef', /kotef is not set up in this clone/],
  ['dies', 'echo "echo {}; exit 1" > .git/kotef/agent', /kotef gave no answer/],
])('trap: Cline heeds no exit code, so where kotef %s its script cancels', async (_, damage, reported) => {
  await using repo = await copyGoverned(template())
  await repo.write('.orchestration/config.yaml', 'unset_clones: block\n')
  await repo.play(damage)
  const { stdout } = await repo.run(join(repo.root, '.clinerules/hooks/PreToolUse'), [], { input: '{}' })
  expect(JSON.parse(stdout)).toEqual({ cancel: true, errorMessage: expect.stringMatching(reported) as unknown })
})

// As OpenCode does it: the plugin is loaded, and asked before a tool is used.
const OPENCODE = `import { Kotef } from './.opencode/plugin/kotef.js'
const client = { session: { get: async () => null } }
const hooks = await Kotef({ client, directory: process.cwd(), worktree: process.cwd() })
const call = { tool: 'write', sessionID: 's', callID: 'c' }
await hooks['tool.execute.before'](call, { args: { filePath: process.cwd() + '/src.ts', content: 'x' } }).then(
  () => console.log('allowed'),
  thrown => console.log('thrown', thrown.message),
)
`

test('FR-009: OpenCode, as init has told it, is refused a write', async () => {
  await using repo = await copyGoverned(template())
  const { stdout } = await repo.run('node', ['--input-type=module', '-e', OPENCODE])
  expect(stdout).toMatch(/^thrown /)
  expect(stdout).toContain(REFUSAL)
})

test('OpenCode and Cline may write where kotef is not set up, unless the config blocks that', async () => {
  await using repo = await copyGoverned(template())
  await repo.run('rm', ['-r', '.git/kotef'])
  expect((await repo.run('node', ['--input-type=module', '-e', OPENCODE])).stdout).toBe('allowed\n')
  const cline = await repo.run(join(repo.root, '.clinerules/hooks/PreToolUse'), [], { input: '{}' })
  expect(cline).toMatchObject({ code: 0, stdout: '{}\n' })
  await repo.write('.orchestration/config.yaml', 'unset_clones: block\n')
  const { stdout } = await repo.run('node', ['--input-type=module', '-e', OPENCODE])
  expect(stdout).toMatch(/^thrown .*kotef is not set up in this clone/)
})
