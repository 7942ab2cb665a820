import { expect, test } from 'vitest'
import { checkHandover } from '../../../src/core/handover/check-session.ts'
import { setTaskStatus } from '../../../src/core/handover/edit-tasks.ts'
import { newSessionName, newStatus } from '../../../src/core/handover/new-session.ts'
import { readJsonFile } from '../../../src/core/handover/read-json-file.ts'
import { statusFileText } from '../../../src/core/handover/session-edit.ts'
import { readStatus } from '../../../src/core/handover/status-file.ts'
import { staleArtifacts, submitAnswer } from '../../../src/core/handover/submission.ts'
import { nextStates } from '../../../src/core/handover/workflow.ts'
import { handoverStatus, handoverStatusLines } from '../../../src/core/handover/handover-status.ts'
import { answersFor, gatesIn } from '../../rig/handover/answers.ts'
import { edited, NOW, read } from '../../rig/handover/edited.ts'
import { outputMessage } from '../../rig/handover/messages.ts'
import { approval, historyLine, pending, SESSION, sessionIn, task } from '../../rig/handover/session-files.ts'

test('a task changes by the one word that is its status', () => {
  const text = `# plan
tasks:
  - id: T-001 # first
    status: implemented
    goal: "g"
    acceptance_checks: [ "cmd: x" ]
`
  const files = sessionIn('IMPLEMENT_LOOP', { files: { 'tasks.yaml': text, ...answersFor('T-001', SESSION) } })
  const facts = gatesIn(files)
  const { files: out } = setTaskStatus(read(files), { id: 'T-001', to: 'completed', role: 'Orchestrator', facts })
  expect(out['tasks.yaml']).toBe(text.replace('implemented', 'completed'))
  expect(setTaskStatus(read(files), { id: 'T-001', to: 'implemented', role: null, facts }).files).toEqual({})
})

test('an answer is kept with the versions of what it was written against; an outdated artifact is named', () => {
  const files = sessionIn('IMPLEMENT_LOOP')
  const path = `.agents-work/${SESSION}/architecture.md`
  const message = outputMessage({ artifacts: { files_changed: [path, 'src/a.ts'] } }) as never
  const at = { now: NOW, facts: gatesIn(files) }
  const session = edited(files, submitAnswer(read(files), { agent: 'Architect', task: 'T-001', message }, at))
  expect(JSON.parse(session.texts.get('messages/T-001.Architect.json') ?? '')).toMatchObject({
    agent: 'Architect',
    at: NOW,
  })
  expect(staleArtifacts(session)).toEqual([])
  const texts = new Map([...session.texts, ['acceptance.json', '{}']])
  expect(staleArtifacts(read({ name: SESSION, texts }))).toEqual([
    { artifact: 'architecture.md', changed: ['acceptance.json'] },
  ])
  expect(() => submitAnswer(read(files), { agent: 'QA', task: 'T-009', message }, at)).toThrow(/no task T-009/)
})

test('a new session is named by the day and a word', () => {
  expect(newSessionName('refunds-2', NOW)).toBe('2026-02-01_refunds-2')
  for (const word of ['Refunds', 'a b', '', '../x', 'a_']) expect(() => newSessionName(word, NOW)).toThrow(/not a name/)
  const text = statusFileText(newStatus('2026-02-01_x', { lean: true, baseCommit: null, now: NOW }), NOW)
  expect(readStatus('f', text)).toMatchObject({ problems: [], value: { current_state: 'INTAKE_LEAN', mode: 'lean' } })
})

const NOTHING_SUBMITTED = ['Coder', 'Reviewer', 'QA'].map(it => `${it}: nothing submitted`).join(', ')

test('the view of a session has a line for each thing that somebody has to do', () => {
  const tasks = `tasks: ${JSON.stringify([task('T-001', 'implemented')])}\n`
  const files = sessionIn('APPROVE_DESIGN', {
    status: it => {
      it['user_decisions'].push(approval('changes-requested: less'), pending(1, { state_context: 'APPROVE_DESIGN' }))
      it['gate_tracking'] = { APPROVE_DESIGN: { correction_status: 'queued' } }
      it['retry_counts'] = { 'T-001': { FIX_TESTS: 2 } }
    },
    files: { 'tasks.yaml': tasks, 'approve-design-history.jsonl': historyLine('changes-requested: less') },
  })
  const view = { session: read(files), gates: gatesIn(null), problems: checkHandover(files) }
  expect(handoverStatusLines(view)).toEqual([
    `session   ${SESSION} (full)`,
    'state     APPROVE_DESIGN',
    'next      DESIGN, PLAN',
    'design    corrections are queued',
    `task      T-001 implemented: Refund a payment; open gates: ${NOTHING_SUBMITTED}`,
    'question  UD-1: Which currency?',
    `answer    \`kotef handover answer --session ${SESSION}\` asks for it at a terminal`,
    'retries   T-001: FIX_TESTS:2',
    'done      5 things to come',
  ])
  expect(handoverStatus(view)).toMatchObject({ next: nextStates('APPROVE_DESIGN', 'full') })
})

test.each(['ASK_USER', 'BLOCKED'])('in %s the next is what was interrupted, after the answers', interrupted => {
  const asked = [pending(1, { state_context: 'DESIGN' }), pending(2, { state_context: 'DESIGN' })]
  const files = sessionIn('DESIGN', {
    status: it => {
      Object.assign(it, { current_state: interrupted, blocked_from: interrupted === 'BLOCKED' ? 'DESIGN' : null })
      if (interrupted === 'ASK_USER') it['user_decisions'].push(...asked)
    },
  })
  const view = { session: read(files), gates: gatesIn(null), problems: [] }
  const waits = interrupted === 'ASK_USER' ? 'the answer to UD-1, UD-2, then DESIGN' : 'DESIGN'
  expect(handoverStatusLines(view)).toContain(`next      ${waits}`)
  expect(handoverStatus(view).next).toEqual(['DESIGN'])
})

test('JSON is JSON: no comments, no trailing commas, no key twice', () => {
  const schema = { safeParse: (data: unknown) => ({ success: true, data }) } as never
  const problems = (text: string) => readJsonFile('f', text, schema).problems.map(it => [it.line, it.expected])
  expect(problems('{"a": 1}')).toEqual([])
  expect(problems('\uFEFF{"a": 1}')).toEqual([[1, 'JSON in UTF-8 without a byte order mark']])
  expect(problems('{\n// c\n"a": 1}')).toEqual([[expect.anything(), 'valid JSON']])
  expect(problems('{"a": 1,}')).toHaveLength(1)
  expect(problems('{"a": {"b": 1,\n"b": 2}}')).toEqual([[2, 'each key once']])
})
