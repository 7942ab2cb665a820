import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KotefError } from '../../src/core/base/failure.ts'
import type { MainState } from '../../src/core/handover/workflow.ts'
import { advanceInSession, answerInSession, askInSession, beginSession } from '../../src/world/handover/operations.ts'
import { checkSessionHere, readSessionHere } from '../../src/world/handover/session-folder.ts'
import { writeSessionEdit } from '../../src/world/handover/write-session.ts'
import { disk } from '../../src/world/io/files/files.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { writeSession } from '../rig/handover/handover-repo.ts'
import { pending, SESSION, sessionIn } from '../rig/handover/session-files.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { bundleProgram } from '../rig/racers.ts'

const asking = sessionIn('IMPLEMENT_LOOP', {
  status: it => {
    it['user_decisions'].push(pending(1), pending(2))
    it['current_state'] = 'ASK_USER'
  },
})
const ANSWER = new Map([['UD-1', 'EUR "and" $(x)\nUSD']])

// A disk that fails once, and one that fails from then on.
test.each([{ dead: false }, { dead: true }])(
  'whichever call of the disk fails (and the next ones: $dead), an acknowledged answer is there, and another is kept',
  async ({ dead }) => {
    await using repo = await hookedRepo({ start: null })
    const workspace = await openWorkspace(repo.root)
    for (let failing = 1; ; failing++) {
      writeSession(repo, asking)
      const files = brittleFiles(disk, { failing, dead })
      const outcome = await answerInSession({ ...workspace, files }, SESSION, ANSWER).then(
        () => 'acknowledged' as const,
        (thrown: unknown) => thrown as KotefError,
      )
      const { status } = await readSessionHere(workspace, SESSION)
      const answer = status?.user_decisions.find(it => it.decision_id === 'UD-1')?.answer
      if (outcome === 'acknowledged') expect(answer, `call ${failing}`).toBe(ANSWER.get('UD-1'))
      else {
        expect(dead, `call ${failing}: ${outcome.message}`).toBe(true)
        expect(outcome).toMatchObject({ code: 'handover-blocked', message: expect.stringContaining('BLOCKED') })
        expect(outcome.hint).toContain('"UD-1":"EUR')
      }
      expect(status, `call ${failing}`).not.toBeNull()
      if (!files.hasFailed()) break
    }
  },
)

test('an answer that can’t be written is in a file, from which it is written later', async () => {
  await using repo = await hookedRepo({ start: null })
  const workspace = await openWorkspace(repo.root)
  writeSession(repo, asking)
  const replace: typeof disk.replace = (path, ...rest) =>
    path.startsWith(repo.root) && !path.includes('.git')
      ? Promise.reject(new Error('EIO'))
      : disk.replace(path, ...rest)
  const refused = answerInSession({ ...workspace, files: { ...disk, replace } }, SESSION, ANSWER)
  await expect(refused).rejects.toMatchObject({ code: 'handover-blocked' })
  const folder = join(repo.root, '.git/kotef/handover-recovery')
  const [name = ''] = await readdir(folder)
  expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toEqual({
    session: SESSION,
    captured: { answers: Object.fromEntries(ANSWER) },
  })
  expect(await repo.kotef('handover', 'answer', '--from', join(folder, name))).toMatchObject({ code: 0 })
  const { status } = await readSessionHere(workspace, SESSION)
  expect(status?.user_decisions.map(it => it.answer)).toContain(ANSWER.get('UD-1'))
})

test('an answer is kept as well when another process holds the session', async () => {
  await using repo = await hookedRepo({ start: null })
  const workspace = await openWorkspace(repo.root)
  writeSession(repo, asking)
  await repo.write(`.git/kotef/handover-${SESSION}.lock`, `${process.pid} ${hostname()}`)
  const write = { session: SESSION, edit: () => ({ files: {} }), captured: { answers: { 'UD-1': 'EUR' } } }
  await expect(writeSessionEdit(workspace, write, { waitMsMax: 1 })).rejects.toMatchObject({ code: 'handover-blocked' })
  const folder = join(repo.root, '.git/kotef/handover-recovery')
  const [name = ''] = await readdir(folder)
  expect(await readFile(join(folder, name), 'utf8')).toContain('"UD-1": "EUR"')
})

test('of eight processes that each write fifty times, nothing is lost', async () => {
  await using repo = await hookedRepo({ start: null })
  const program = bundleProgram('handover-writer')
  const begun = await repo.run(process.execPath, [program, 'refunds', 'new'])
  const session = begun.stdout.trim()
  const names = 'a b c d e f g h'.split(' ')
  // The tests that run beside this one wait for answers of a daemon.
  const writers = names.map(it => repo.run('nice', ['-n', '5', process.execPath, program, session, '50', it]))
  const printed = (await Promise.all(writers)).map(it => ({ ...it, lines: it.stdout.split('\n').slice(0, -1) }))
  expect(printed.map(it => it.stderr).filter(it => it !== '')).toEqual([])
  const acknowledged = printed.flatMap(it => it.lines)
  expect(acknowledged).toHaveLength(400)
  const workspace = await openWorkspace(repo.root)
  const { status } = await readSessionHere(workspace, session)
  expect(status?.user_decisions.map(it => it.question).sort()).toEqual(acknowledged.sort())
  expect(await checkSessionHere(workspace, session)).toEqual([])
})

// With the fewest files of a session and with the most, and within the loop. What a question changes in the other
// states is judged without a disk, in the core tests of the edits.
const STATES = ['INTAKE', 'IMPLEMENT_LOOP', 'RELEASE'] as const satisfies readonly MainState[]

describe('a process that is killed while it writes', () => {
  test.each(STATES)('leaves a session in %s that goes on: whole, and with or without the change', async state => {
    await using repo = await hookedRepo({ start: null })
    const workspace = await openWorkspace(repo.root)
    for (let failing = 1; ; failing++) {
      writeSession(repo, sessionIn(state))
      const files = brittleFiles(disk, { failing, dead: true })
      await askInSession({ ...workspace, files }, SESSION, { questions: [{ question: 'Which?' }] }).catch(() => {})
      const { status } = await readSessionHere(workspace, SESSION)
      expect(['ASK_USER', state], `call ${failing}`).toContain(status?.current_state)
      const open = status?.user_decisions.filter(it => it.status === 'pending') ?? []
      expect(open).toHaveLength(status?.current_state === 'ASK_USER' ? 1 : 0)
      if (open.length > 0) await answerInSession(workspace, SESSION, new Map([[open[0]!.decision_id, 'this']]))
      expect((await readSessionHere(workspace, SESSION)).status?.current_state).toBe(state)
      expect(await checkSessionHere(workspace, SESSION)).toEqual([])
      if (!files.hasFailed()) break
    }
  })
})

test('a process that is killed with SIGKILL in the middle of its writes loses none that it acknowledged', async () => {
  await using repo = await hookedRepo({ start: null })
  const workspace = await openWorkspace(repo.root)
  const session = await beginSession(workspace, 'refunds', true)
  const program = bundleProgram('handover-writer')
  for (const name of ['a', 'b', 'c']) {
    const writer = repo.start(process.execPath, [program, session, '1000', name])
    await writer.line(new RegExp(`^${name} 5$`))
    await writer[Symbol.asyncDispose]()
  }
  const { status } = await readSessionHere(workspace, session)
  const questions = status?.user_decisions.map(it => it.question) ?? []
  for (const name of ['a', 'b', 'c']) for (let n = 0; n <= 5; n++) expect(questions).toContain(`${name} ${n}`)
  const answers = new Map(status?.user_decisions.map(it => [it.decision_id, 'this'] as const))
  await answerInSession(workspace, session, answers)
  const run = { env: process.env, running: () => {} }
  expect((await advanceInSession(workspace, session, { to: 'INTAKE', run })).mode).toBe('full')
})
