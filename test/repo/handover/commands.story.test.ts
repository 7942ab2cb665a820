import { describe, expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { commitUnjudged, writeSession } from '../../rig/handover/handover-repo.ts'
import { inputMessage, outputMessage } from '../../rig/handover/messages.ts'
import { pending, renamed, SESSION, sessionIn } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'
import { startAtTerminal } from '../../rig/terminal.ts'

const template = fixture(async () => {
  const repo = await hookedRepo()
  const status = (it: Record<string, unknown>) => (it['base_commit'] = 'HEAD')
  writeSession(repo, sessionIn('IMPLEMENT_LOOP', { status }))
  writeSession(repo, renamed(sessionIn('DONE'), '2026-01-30_other'))
  await commitUnjudged(repo, 'sessions')
  return repo
})
const copy = (): Promise<Repo> => copyGoverned(template())
const without = (...files: string[]) => {
  const { task } = inputMessage() as { task: { context_files: string[] } }
  return inputMessage({ task: { ...task, context_files: [...task.context_files, ...files] } })
}

describe('kotef handover message', () => {
  test('answers BLOCKED, with the path, for an agent that lacks a file', async () => {
    await using repo = await copy()
    await repo.write('in.json', JSON.stringify(without('docs/gone.md')))
    const { exit, json } = await runCli(repo, 'handover', 'message', '--in', `${repo.root}/in.json`, '--role', 'Coder')
    expect(exit).toBe(1)
    expect(json).toMatchObject({
      problems: [{ pointer: 'task/context_files', expected: 'the file docs/gone.md' }],
      reply: { status: 'BLOCKED', summary: 'Missing context files: docs/gone.md' },
    })
    await repo.write('reply.json', JSON.stringify((json as { reply: object }).reply))
    expect(await runCli(repo, 'handover', 'message', '--out', `${repo.root}/reply.json`)).toMatchObject({ exit: 0 })
  })

  test('compares what a Reviewer is given with what git says', async () => {
    await using repo = await copy()
    await repo.play('echo more >> src/a.ts; git mv src/b.ts src/c.ts; echo n > src/new.ts; rm old/c')
    const { task } = inputMessage() as { task: object }
    const changes = [
      { path: 'src/a.ts', change_type: 'modified' },
      { path: 'src/c.ts', old_path: 'src/b.ts', change_type: 'renamed' },
      { path: 'src/new.ts', change_type: 'added' },
      { path: 'old/c', change_type: 'deleted' },
    ]
    const check = async (list: object[]) => {
      await repo.write('in.json', JSON.stringify(inputMessage({ task: { ...task, session_changed_files: list } })))
      await repo.play('mv in.json ../in.json')
      return runCli(repo, 'handover', 'message', '--in', `${repo.base}/in.json`, '--role', 'Reviewer')
    }
    expect(await check(changes)).toMatchObject({ exit: 0, json: { checklist: expect.arrayContaining(['xss']) } })
    const { text } = await check(changes.slice(1))
    expect(text).toContain('expected modified src/a.ts, found nothing')
  })

  test('reads stdin, and refuses text around the JSON', async () => {
    await using repo = await copy()
    const input = `Here it is:\n${JSON.stringify(outputMessage())}`
    const { code, stdout } = await repo.run('kotef', ['handover', 'message', '--out', '-'], { input })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('expected JSON only') })
    const neither = await runCli(repo, 'handover', 'message')
    expect(neither.failure).toMatchObject({ code: 'usage' })
  })
})

test('kotef handover check --run-checks finds a session that says more than is true', async () => {
  await using repo = await copy()
  const verify = ['cmd: test -f src/refund.ts', 'manual: look']
  const acceptance = JSON.stringify({ acceptance_criteria: [{ id: 'AC-001', description: 'd', verify }] })
  const name = '2026-01-29_forged'
  writeSession(repo, renamed(sessionIn('DONE', { files: { 'acceptance.json': acceptance } }), name))
  const check = (...words: string[]) => runCli(repo, 'handover', 'check', name, ...words)
  expect((await check()).text).not.toContain('acceptance.json')
  const { exit, text } = await check('--run-checks')
  expect({ exit, text }).toEqual({ exit: 1, text: expect.stringContaining('commands that pass on these files') })
  await commitUnjudged(repo, 'forged')
  const verified = await verifyFindings(repo, 'HEAD^..HEAD', '--run-checks')
  expect(verified).toContain('block criteria-met - in -')
  await repo.write('src/refund.ts', 'x\n')
  expect((await check('--run-checks')).text).not.toContain('commands that pass')
})

test('what is in the place of a file is a problem, and is not waited for', async () => {
  await using repo = await copy()
  const folder = `.agents-work/${SESSION}`
  await repo.play(`rm ${folder}/status.json ${folder}/spec.md ${folder}/tasks.yaml; mkfifo ${folder}/status.json
    ln -s /dev/zero ${folder}/spec.md; truncate -s 3M ${folder}/tasks.yaml`)
  const { exit, text } = await runCli(repo, 'handover', 'check', SESSION)
  expect({ exit, text }).toEqual({ exit: 1, text: expect.stringContaining('status.json: expected valid JSON') })
})

describe('kotef handover', () => {
  test('submit keeps an answer, and the view shows what is open', async () => {
    await using repo = await copy()
    await repo.write('answer.json', JSON.stringify(outputMessage()))
    const words = ['handover', 'submit', `${repo.root}/answer.json`, '--task', 'T-001']
    expect((await runCli(repo, ...words)).failure).toMatchObject({ code: 'usage', message: 'The agent is missing.' })
    const early = await runCli(repo, ...words, '--role', 'Reviewer')
    expect(early.failure).toMatchObject({ message: expect.stringContaining('Coder: nothing submitted') })
    await repo.write('coder.json', JSON.stringify(outputMessage({ artifacts: { files_changed: ['src/a.ts'] } })))
    expect(await runCli(repo, ...words.with(2, `${repo.root}/coder.json`), '--role', 'Coder')).toMatchObject({
      exit: 0,
    })
    await runCli(repo, 'handover', 'task', 'T-001', 'implemented', '--role', 'Coder')
    expect(await runCli(repo, ...words, '--role', 'Reviewer')).toMatchObject({ exit: 0 })
    const { text } = await runCli(repo, 'handover', 'status')
    expect(text).toContain('task      T-001 implemented: Refund a payment; open gates: QA: nothing submitted')
  })

  test.each<[words: string[], message: RegExp]>([
    [['advance', 'CODING'], /CODING is not a state/],
    [['task', 'T-001', 'done'], /done is not a status/],
    [['task', 'T-009', 'blocked'], /has no task T-009/],
    [['cancel', 'UD-1'], /The reason is missing/],
    [['skip', 'UD-1', '--reason', 'x'], /has no question UD-1/],
    [['ask'], /A question is missing/],
    [['answer'], /An answer is missing/],
    [['status', '--session', 'x'], /no session x/],
    [['status', 'x'], /no session x/],
    [['status', SESSION, '--session', 'x'], /Two sessions are named/],
    [['new', 'A b'], /not a name for a session/],
    [['task', 'T-001', 'blocked', '--role', 'coder'], /--role takes one of SpecAgent/],
  ])('%j says what is wrong, and changes nothing', async (words, message) => {
    const repo = template()
    const { failure } = await runCli(repo, 'handover', ...words)
    expect(failure?.message).toMatch(message)
    expect(await repo.git('status', '--porcelain', '.agents-work')).toBe('')
  })

  test('asks for the session when several are open', async () => {
    await using repo = await copy()
    expect(await runCli(repo, 'handover', 'new', 'second', '--lean')).toMatchObject({ exit: 0 })
    const { failure } = await runCli(repo, 'handover', 'status')
    expect(failure).toMatchObject({ code: 'unknown-handover', message: '2 sessions are open.' })
    expect(failure?.hint).toMatch(/--session \d{4}-\d\d-\d\d_second/)
    for (const words of [[SESSION], ['--session', SESSION], [SESSION, '--session', SESSION]])
      expect((await runCli(repo, 'handover', 'status', ...words)).json).toMatchObject({ session: SESSION })
  })

  test('answer asks a person at a terminal, and writes each answer', async () => {
    await using repo = await copy()
    writeSession(
      repo,
      sessionIn('IMPLEMENT_LOOP', {
        status: it => {
          it['user_decisions'].push(pending(1), pending(2, { question: 'Which rate?' }))
          it['current_state'] = 'ASK_USER'
        },
      }),
    )
    await using terminal = startAtTerminal(repo, ['handover', 'answer'])
    await terminal.line(/UD-1: Which currency\?/)
    terminal.type('EUR\r')
    await terminal.line(/UD-2: Which rate\?/)
    terminal.type('fixed\r')
    expect(await terminal.ended).toMatchObject({ code: 0 })
    const { json } = await runCli(repo, 'handover', 'status')
    expect(json).toMatchObject({ state: 'IMPLEMENT_LOOP', pending: [] })
  })

  test('status --watch shows each change, and what is not legal', async () => {
    await using repo = await copy()
    await using watching = repo.start('kotef', ['handover', 'status', '--watch', '--session', SESSION])
    await watching.line(/^state {5}IMPLEMENT_LOOP/)
    await repo.kotef('handover', 'advance', 'FIX_TESTS', '--task', 'T-001', '--session', SESSION)
    await watching.line(/^state {5}FIX_TESTS/)
    writeSession(repo, sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'done') }))
    await watching.line(/^illegal {3}.*tasks\.yaml.*handover-format/)
  })
})

test('every command of the handover has JSON', async () => {
  await using repo = await copy()
  expect((await runCli(repo, 'handover', 'ask', '--question', 'Which?', '--security')).json).toMatchObject({
    state: 'ASK_USER',
    pending: [{ decision_id: 'UD-1', security: true }],
  })
  expect((await runCli(repo, 'handover', 'answer', 'UD-1', 'this')).json).toMatchObject({ state: 'IMPLEMENT_LOOP' })
  expect((await runCli(repo, 'handover', 'advance', 'BLOCKED', '--reason', 'x')).json).toMatchObject({
    state: 'BLOCKED',
  })
})
