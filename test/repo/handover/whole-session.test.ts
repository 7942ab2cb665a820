import { describe, expect, test } from 'vitest'
import { SESSIONS_FOLDER } from '../../../src/core/handover/port.ts'
import { runCli } from '../../rig/command-line.ts'
import { json, sessionIn, task } from '../../rig/handover/session-files.ts'
import { outputMessage } from '../../rig/handover/messages.ts'
import { connectMcp, idleRepo, type McpClient } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'
import { stringify } from 'yaml'

/** Agents that play a session over MCP: what they write themselves, and what they call. */
type Play = {
  readonly mcp: McpClient
  readonly repo: Repo
  readonly session: string
  /** Calls a tool for the session; the state afterwards. */
  say(tool: string, args?: object): Promise<Record<string, unknown>>
  /** Calls a tool that has to refuse; its message. */
  refused(tool: string, args?: object): Promise<string>
  /** Writes an artifact, as an agent does. */
  write(file: string, text: string): Promise<void>
}

const ARTIFACTS = sessionIn('DONE').texts
const text = (file: string): string => ARTIFACTS.get(file) ?? ''

async function playOf(repo: Repo, mcp: McpClient, lean: boolean): Promise<Play> {
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  const { value } = await mcp.call('handover_new', { word: 'refunds', lean })
  const { session } = value as unknown as { session: string }
  const call = (tool: string, args: object) => mcp.call(`handover_${tool}`, { session, ...args })
  return {
    ...{ mcp, repo, session },
    async say(tool, args = {}) {
      const answer = await call(tool, args)
      expect(answer.isError, answer.text).toBe(false)
      return answer.value
    },
    async refused(tool, args = {}) {
      const answer = await call(tool, args)
      expect(answer.isError, answer.text).toBe(true)
      return answer.text
    },
    write: (file, content) => repo.write(`${SESSIONS_FOLDER}/${session}/${file}`, content),
  }
}

const submit = (play: Play, role: string, more: object = {}) =>
  play.say('submit', { role, task: 'T-001', answer: outputMessage(more) })

async function code(play: Play, source: string): Promise<void> {
  await play.say('task', { id: 'T-001', status: 'in-progress', role: 'Coder' })
  await play.repo.write('src/refund.ts', source)
  await submit(play, 'Coder', { artifacts: { files_changed: ['src/refund.ts'] } })
  await play.say('task', { id: 'T-001', status: 'implemented', role: 'Coder' })
}

/** The work on the only task: a first review finds something. */
async function implement(play: Play, gates: readonly string[]): Promise<void> {
  await code(play, 'let refund\n')
  expect(await play.refused('task', { id: 'T-001', status: 'completed', role: 'Coder' })).toMatch(/by a Coder/)
  await submit(play, 'Reviewer', { status: 'BLOCKED' })
  expect(await play.refused('task', { id: 'T-001', status: 'completed' })).toMatch(/Reviewer: BLOCKED/)
  expect(await play.say('advance', { state: 'FIX_REVIEW', task: 'T-001' })).toMatchObject({ state: 'FIX_REVIEW' })
  await code(play, 'const refund = 1\n')
  await play.say('advance', { state: 'IMPLEMENT_LOOP' })
  for (const it of gates) {
    expect(await play.refused('task', { id: 'T-001', status: 'completed' })).toMatch(`${it}: `)
    await submit(play, it)
  }
  await play.say('task', { id: 'T-001', status: 'completed', role: 'Orchestrator' })
}

/** The end: a person looks, the report is written, and only then it is done. */
async function finish(play: Play, before: string): Promise<void> {
  expect(await play.refused('advance', { state: 'DONE' })).toMatch(/a person who says that it is met/)
  expect(await play.refused('advance', { state: 'DONE' })).toMatch(/report\.md: expected a report/)
  await play.say('ask', { questions: ['Is AC-001 met?'], criterion: 'AC-001' })
  const { pending } = (await play.say('status')) as unknown as { pending: readonly { decision_id: string }[] }
  await play.say('answer', { answers: { [pending[0]!.decision_id]: 'met: I looked at one' } })
  expect(await play.say('status')).toMatchObject({ state: before })
  await play.write('report.md', text('report.md'))
  expect(await play.say('advance', { state: 'DONE' })).toMatchObject({ state: 'DONE' })
  expect(await runCli(play.repo, 'handover', 'check', play.session)).toMatchObject({ exit: 0 })
  expect(await play.refused('ask', { questions: ['More?'] })).toMatch(/is in DONE/)
  await play.repo.git('add', '--all')
  const committed = await play.repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
  expect(committed).toMatchObject({ code: 0, stderr: '' })
  expect(await verifyFindings(play.repo, 'HEAD^..HEAD')).toEqual([])
}

describe('a whole session over MCP', () => {
  test('in full mode: changes are requested, security asks twice, a review fails, and DONE is true', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo)
    const play = await playOf(repo, mcp, false)
    expect(await mcp.tools()).toContain('handover_advance')
    expect(await play.refused('advance', { state: 'DESIGN' })).toMatch(/spec\.md with all its sections/)
    await play.write('spec.md', text('spec.md'))
    await play.write('acceptance.json', text('acceptance.json'))
    await play.say('advance', { state: 'DESIGN' })
    await play.write('architecture.md', text('architecture.md'))
    await play.say('advance', { state: 'APPROVE_DESIGN' })
    expect(await play.refused('advance', { state: 'PLAN' })).toMatch(/begins with approved/)

    await play.say('ask', { gate: 'design' })
    expect(await play.refused('answer', { answers: { 'UD-APPROVE-DESIGN': 'maybe' } })).toMatch(/Ask again/)
    await play.say('answer', { answers: { 'UD-APPROVE-DESIGN': 'changes-requested: one module less' } })
    expect(await play.say('status')).toMatchObject({ correction: 'queued' })
    expect(await play.refused('ask', { gate: 'design' })).toMatch(/corrections of the design are queued/)
    await play.say('advance', { state: 'DESIGN', agent: 'Architect' })
    expect(await play.say('status')).toMatchObject({ correction: 'dispatched' })
    await play.write('architecture.md', `${text('architecture.md')}\nLess.\n`)
    await play.say('advance', { state: 'APPROVE_DESIGN' })
    expect(await play.say('status')).toMatchObject({ correction: 'completed' })
    await play.say('ask', { gate: 'design' })
    await play.say('answer', { answers: { 'UD-APPROVE-DESIGN': 'approved' } })
    await play.say('advance', { state: 'PLAN' })

    await play.write(
      'tasks.yaml',
      stringify({ tasks: [{ ...task('T-001', 'not-started'), risk_flags: ['security'] }] }),
    )
    await play.say('advance', { state: 'REVIEW_STRATEGY' })
    await play.say('ask', { gate: 'strategy' })
    await play.say('answer', { answers: { 'UD-REVIEW-STRATEGY': 'Single final' } })
    await play.say('advance', { state: 'IMPLEMENT_LOOP' })

    await play.say('ask', { questions: ['Log the card?', 'Keep it how long?'], security: true })
    expect(await play.refused('answer', { answers: { 'UD-1': 'no', 'UD-2': null } })).toMatch(/Ask again: UD-2/)
    expect(await play.refused('advance', { state: 'INTEGRATE' })).toMatch(/waits for the user/)
    expect(await play.say('answer', { answers: { 'UD-2': 'a day' } })).toMatchObject({ state: 'IMPLEMENT_LOOP' })

    await implement(play, ['Reviewer', 'QA', 'Security'])
    await play.say('advance', { state: 'INTEGRATE' })
    await play.say('advance', { state: 'FIX_BUILD' })
    await play.say('advance', { state: 'INTEGRATE' })
    await play.say('advance', { state: 'RELEASE' })
    await finish(play, 'RELEASE')
  })

  test('in lean mode: neither design nor plan', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo)
    const play = await playOf(repo, mcp, true)
    expect(await play.refused('advance', { state: 'DESIGN' })).toMatch(/leads to IMPLEMENT_LOOP, INTAKE/)
    for (const file of ['spec.md', 'acceptance.json']) await play.write(file, text(file))
    await play.write('tasks.yaml', stringify({ tasks: [task('T-001', 'not-started')] }))
    await play.say('advance', { state: 'IMPLEMENT_LOOP' })
    await implement(play, ['Reviewer', 'QA'])
    await play.say('advance', { state: 'INTEGRATE' })
    await finish(play, 'INTEGRATE')
  })

  test('a gate without a valid answer blocks after three tries, and goes on where it was', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo)
    const play = await playOf(repo, mcp, false)
    for (const file of ['spec.md', 'acceptance.json', 'architecture.md']) await play.write(file, text(file))
    await play.say('advance', { state: 'DESIGN' })
    await play.say('advance', { state: 'APPROVE_DESIGN' })
    await play.say('ask', { gate: 'design' })
    const asked = () => mcp.call('handover_answer', { answers: { 'UD-APPROVE-DESIGN': 'hm' } })
    expect([(await asked()).isError, (await asked()).isError]).toEqual([true, true])
    expect((await asked()).value).toMatchObject({ state: 'BLOCKED' })
    expect(await play.say('status')).toMatchObject({ blocker: 'mandatory_user_decision_missing' })
    expect(await play.refused('advance', { state: 'PLAN' })).toMatch(/was blocked in APPROVE_DESIGN/)
    await play.say('advance', { state: 'APPROVE_DESIGN' })
    await play.say('ask', { gate: 'design' })
    await play.say('answer', { answers: { 'UD-APPROVE-DESIGN': 'approved, go on' } })
    expect(await play.say('advance', { state: 'PLAN' })).toMatchObject({ state: 'PLAN' })
  })

  test('what was approved and changes is void; a fourth round of repairs is not begun', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo)
    const play = await playOf(repo, mcp, false)
    const { texts } = sessionIn('IMPLEMENT_LOOP')
    for (const [file, it] of texts) await play.write(file, it.replaceAll('2026-01-31_refunds', play.session))
    for (let n = 0; n < 3; n++) {
      await play.say('advance', { state: 'FIX_TESTS', task: 'T-001' })
      await play.say('advance', { state: 'IMPLEMENT_LOOP' })
    }
    expect(await play.refused('advance', { state: 'FIX_TESTS', task: 'T-001' })).toMatch(/3 times/)
    await play.write('architecture.md', `${text('architecture.md')}\nMore.\n`)
    expect(await play.say('status')).toMatchObject({
      design: 'void',
      problems: [expect.objectContaining({ rule: 'handover-approval' })],
    })
  })

  test('an answer that breaks the contract is not kept', async () => {
    await using repo = await idleRepo()
    await using mcp = await connectMcp(repo)
    const play = await playOf(repo, mcp, false)
    const answer = outputMessage({ status: 'NEEDS_DECISION' })
    expect(await play.refused('submit', { role: 'Coder', answer })).toMatch(/NEEDS_DECISION from a Security only/)
    expect(await play.refused('task', { id: 'T-001', status: 'completed' })).toMatch(/has no task T-001/)
    expect(json(await play.say('status'))).toContain('INTAKE')
  })
})
