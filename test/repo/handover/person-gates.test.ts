import { describe, expect, test } from 'vitest'
import { askGate, writeTool } from '../../rig/agent-gate.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { pending, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { selectOrThrow } from '../../rig/selection.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const GATE = 'UD-APPROVE-DESIGN'
const COMMAND = `kotef handover answer --session ${SESSION}`
const STATUS = `.agents-work/${SESSION}/status.json`
const CONFIG = '.orchestration/config.yaml'

const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write(CONFIG, 'version: 1\nruns: { profile: "off" }\nhandover: { gates: person }\n')
  writeSession(repo, sessionIn('APPROVE_DESIGN'))
  await repo.kotef('handover', 'ask', '--gate', 'design')
  await commitUnjudged(repo, 'session')
  return repo
})

async function askedRepo(): Promise<Repo> {
  const repo = await copyGoverned(template())
  await selectOrThrow(repo)
  return repo
}

const decisionsIn = async (repo: Repo) =>
  (JSON.parse(await repo.read(STATUS)) as { user_decisions: { decision_id: string; status: string }[] }).user_decisions
const gateIn = async (repo: Repo) => (await decisionsIn(repo)).find(it => it.decision_id === GATE)?.status

describe('with `handover.gates: person`', () => {
  test.each<[title: string, words: string[]]>([
    ['answer', ['answer', GATE, 'approved']],
    ['cancel', ['cancel', GATE, '--reason', 'why']],
    ['skip', ['skip', GATE, '--reason', 'why']],
  ])('an agent can not %s the question of a gate, and learns what a person runs', async (_, words) => {
    await using repo = await askedRepo()
    for (const env of [{ CLAUDECODE: '1' }, { KOTEF_SESSION: 's' }]) {
      const { code, stderr } = await repo.run('kotef', ['handover', ...words], { env: { ...repo.env(), ...env } })
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`can't end ${GATE} of ${SESSION}`) })
      expect(stderr).toContain(`A person runs, at a terminal: \`${COMMAND}\``)
    }
    expect(await gateIn(repo)).toBe('pending')
  })

  test('nor by answers in a file, nor at a terminal of its own, nor over MCP', async () => {
    await using repo = await askedRepo()
    await repo.write('answers.json', JSON.stringify({ [GATE]: 'approved' }))
    const env = { ...repo.env(), CLAUDECODE: '1' }
    expect(await repo.run('kotef', ['handover', 'answer', '--from', 'answers.json'], { env })).toMatchObject({
      code: 3,
    })
    await using terminal = startAtTerminal(repo, ['handover', 'answer'], { CLAUDECODE: '1' })
    expect((await terminal.ended).code).toBe(3)
    await using mcp = await connectMcp(repo, { env: { KOTEF_SESSION: 's' } })
    const answered = await mcp.call('handover_answer', { answers: { [GATE]: 'approved' } })
    const ended = await mcp.call('handover_end_question', { id: GATE, how: 'skipped', reason: 'why' })
    for (const { text } of [answered, ended]) expect(text).toContain(`npx kotef-watch${COMMAND.slice(5)}`)
    expect(await gateIn(repo)).toBe('pending')
  })

  test('nor by a tool that edits the file', async () => {
    await using repo = await askedRepo()
    const file = JSON.parse(await repo.read(STATUS)) as { user_decisions: object[] }
    const ended = { status: 'answered', answer: 'approved', resolved_at: '2999-01-31T10:00:00Z' }
    const content = JSON.stringify({ ...file, user_decisions: file.user_decisions.map(it => ({ ...it, ...ended })) })
    const { kind, refusal } = await askGate(repo, 'claude', {
      ...writeTool(STATUS),
      input: { file_path: STATUS, content },
    })
    expect({ kind, refusal }).toMatchObject({ kind: 'denied', refusal: { error_type: 'handover-contract' } })
    expect(JSON.stringify(refusal)).toContain(COMMAND)
  })

  test('a person can, by the same commands', async () => {
    await using repo = await askedRepo()
    expect(await repo.kotef('handover', 'answer', GATE, 'approved')).toMatchObject({ code: 0 })
    expect(await gateIn(repo)).toBe('answered')
  })

  test('the command in the refusal works', async () => {
    await using repo = await askedRepo()
    await using terminal = startAtTerminal(repo, COMMAND.split(' ').slice(1))
    await terminal.line(/Is the design approved/)
    terminal.type('approved\r')
    expect((await terminal.ended).code).toBe(0)
    expect(await gateIn(repo)).toBe('answered')
  })

  test('a question of security is for a person, and any other is not', async () => {
    await using repo = await askedRepo()
    const questions = [pending(1), { ...pending(2), security: true }]
    const status = (it: Record<string, unknown>) => {
      it['current_state'] = 'ASK_USER'
      it['user_decisions'] = questions.map(one => ({ ...one, state_context: 'DESIGN' }))
    }
    writeSession(repo, sessionIn('DESIGN', { status }))
    const env = { ...repo.env(), CLAUDECODE: '1' }
    const answer = (id: string) => repo.run('kotef', ['handover', 'answer', id, 'yes'], { env })
    expect([(await answer('UD-1')).code, (await answer('UD-2')).code]).toEqual([0, 3])
  })

  test('an edit of the config that is not committed loosens nothing', async () => {
    await using repo = await askedRepo()
    await repo.write(CONFIG, 'version: 1\n')
    const env = { ...repo.env(), CLAUDECODE: '1' }
    expect(await repo.run('kotef', ['handover', 'answer', GATE, 'approved'], { env })).toMatchObject({ code: 3 })
  })
})

test('without it an agent forwards what the user said', async () => {
  await using repo = await copyGoverned(template())
  await repo.write(CONFIG, 'version: 1\n')
  await commitUnjudged(repo, 'config')
  const env = { ...repo.env(), CLAUDECODE: '1' }
  expect(await repo.run('kotef', ['handover', 'answer', GATE, 'approved'], { env })).toMatchObject({ code: 0 })
  expect(await runCli(repo, 'handover', 'check')).toMatchObject({ exit: 0 })
})
