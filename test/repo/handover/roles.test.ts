import { describe, expect, test } from 'vitest'
import { checkHandoverChange } from '../../../src/core/handover/check-change.ts'
import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import { askGate, bashTool, writeTool } from '../../rig/agent-gate.ts'
import { runAgentHook } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { answersFor, gatesIn } from '../../rig/handover/answers.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import { inputMessage } from '../../rig/handover/messages.ts'
import { renamed, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { selectOrThrow } from '../../rig/selection.ts'

const OTHER = '2026-01-30_other'
const inWork = sessionIn('IMPLEMENT_LOOP', {
  tasks: it => (it[0]!['status'] = 'implemented'),
  files: answersFor('T-001', SESSION),
})

const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
  writeSession(repo, inWork)
  writeSession(repo, renamed(sessionIn('DONE'), OTHER))
  await commitUnjudged(repo, 'sessions')
  return repo
})

async function repoAs(role: HandoverAgent | null): Promise<Repo> {
  const repo = await copyGoverned(template())
  await selectOrThrow(repo, role ? { handover: { role, session: SESSION } } : {})
  return repo
}

const path = (file: string, session = SESSION): string => `.agents-work/${session}/${file}`
const write = (file: string, content: string) => ({ ...writeTool(file), input: { file_path: file, content } })
const edit = (file: string, from: string, to: string) => ({
  ...{ tool: 'Edit', input: { file_path: file, old_string: from, new_string: to } },
})

describe('before it writes', () => {
  test.each<[role: HandoverAgent | null, file: string, code: string | null]>([
    ['Orchestrator', 'src/a.ts', 'handover-role'],
    ['Orchestrator', 'package.json', 'handover-role'],
    ['Orchestrator', path('notes.md'), null],
    ['Orchestrator', path('report.md', OTHER), 'handover-role'],
    ['Coder', 'src/a.ts', null],
    ['Coder', 'docs/b.md', 'scope-violation'],
    ['Coder', path('report.md', OTHER), 'handover-role'],
    ['Reviewer', 'src/a.ts', 'handover-role'],
    ['Docs', 'src/readme.md', null],
    [null, 'src/a.ts', null],
    [null, path('notes.md'), null],
    [null, path('report.md', OTHER), 'handover-contract'],
  ])('a session as %s at %s: %s', async (role, file, code) => {
    await using repo = await repoAs(role)
    const { kind, refusal } = await askGate(repo, 'claude', write(file, 'x'))
    expect({ kind, code: refusal['error_type'] ?? null }).toEqual({ kind: code === null ? 'allowed' : 'denied', code })
  })

  test('a command is held to the role as well', async () => {
    await using repo = await repoAs('Orchestrator')
    expect((await askGate(repo, 'claude', bashTool('echo x > src/a.ts'))).refusal).toMatchObject({
      error_type: 'handover-role',
    })
  })

  const COMPLETED = (inWork.texts.get('tasks.yaml') ?? '').replace('status: implemented', 'status: completed')

  test.each<[role: HandoverAgent, isFine: boolean]>([
    ['Coder', false],
    ['Reviewer', false],
    ['Orchestrator', true],
  ])('a %s sets a task to completed: %s', async (role, isFine) => {
    await using repo = await repoAs(role)
    const kind = isFine ? 'allowed' : 'denied'
    const whole = await askGate(repo, 'claude', write(path('tasks.yaml'), COMPLETED))
    const part = await askGate(repo, 'claude', edit(path('tasks.yaml'), 'status: implemented', 'status: completed'))
    expect([whole.kind, part.kind]).toEqual([kind, kind])
    if (!isFine) expect(whole.text).toMatch(/tasks\/T-001\/status: expected implemented by a \w+/)
  })

  test.each([
    ['a leap of state', (it: string) => it.replace('"IMPLEMENT_LOOP"', '"RELEASE"')],
    ['a status that is not JSON', (it: string) => it.slice(1)],
    ['a decision that is removed', (it: string) => it.replace('"UD-REVIEW-STRATEGY"', '"UD-1"')],
  ])('%s is refused whoever it is', async (_, change) => {
    await using repo = await repoAs(null)
    const text = change(inWork.texts.get('status.json') ?? '')
    const { refusal } = await askGate(repo, 'claude', write(path('status.json'), text))
    expect(refusal).toMatchObject({ error_type: 'handover-contract', message: expect.stringContaining('status.json') })
  })
})

test('a file that every agent may write does not take the contract off the call that names both', async () => {
  await using repo = await repoAs(null)
  const { tool, input } = write(path('report.md', OTHER), 'x')
  const both = { tool, input: { ...input, path: '/tmp/kt-never-made' } }
  expect((await askGate(repo, 'claude', both)).refusal).toMatchObject({ error_type: 'handover-contract' })
})

test('a role comes from the flags, from a message, and over MCP', async () => {
  await using repo = await copyGoverned(template())
  const select = (...words: string[]) => repo.kotef('select', 'INT-001', '--session', 's', ...words)
  expect(await select('--role', 'Orchestrator', '--handover', SESSION)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Your role is Orchestrator: you write only below .agents-work/${SESSION}/`),
  })
  expect((await askGate(repo, 'claude', write('src/a.ts', 'x'))).kind).toBe('denied')
  await repo.write('task.json', JSON.stringify(inputMessage({ agent: 'Coder' })))
  expect(await select('--dispatch', 'task.json')).toMatchObject({ code: 0 })
  expect((await askGate(repo, 'claude', write('src/a.ts', 'x'))).kind).toBe('allowed')
  expect(await select('--role', 'coder')).toMatchObject({ code: 1, stdout: expect.stringContaining('--role takes') })
  await using mcp = await connectMcp(repo, { env: { KOTEF_SESSION: 'm' } })
  await repo.kotef('session', 'end', '--all')
  await mcp.call('select_active_intent', { intent_id: 'INT-001', role: 'Coder', handover_session: SESSION })
  const { text } = await mcp.call('handover_task', { session: SESSION, id: 'T-001', status: 'completed' })
  expect(text).toMatch(/is not set to completed by a Coder/)
})

test('the role stands in each context that an agent reads', async () => {
  await using repo = await repoAs('Reviewer')
  const own = `Your role is Reviewer: you write only below .agents-work/${SESSION}/`
  const read = async (event: string, more: object): Promise<string> => {
    const payload = { session_id: 's', cwd: repo.root, hook_event_name: event, ...more }
    return (await runAgentHook(repo, 'claude', JSON.stringify(payload))).stdout
  }
  for (const source of ['startup', 'resume', 'compact']) expect(await read('SessionStart', { source })).toContain(own)
  expect(await read('UserPromptSubmit', { prompt: 'go on' })).toContain(own)
  expect((await repo.kotef('context')).stdout).toContain(`<role>${own}`)
  await using mcp = await connectMcp(repo, { env: { KOTEF_SESSION: 's' } })
  expect((await mcp.call('intent_context', {})).text).toContain(own)
  expect((await mcp.call('select_active_intent', { intent_id: 'INT-001' })).text).toContain(own)
})

test('each row of the corpus that a role decides is decided by it', () => {
  const rows = illegalChanges.filter(it => it.role !== undefined)
  expect(rows.length).toBeGreaterThan(3)
  for (const { title, before, after, role } of rows) {
    const gates = gatesIn(after)
    expect(checkHandoverChange({ before, after, role: role ?? null, gates }).length, title).toBeGreaterThan(0)
    expect(checkHandoverChange({ before, after, role: null, gates }), title).toEqual([])
  }
})
