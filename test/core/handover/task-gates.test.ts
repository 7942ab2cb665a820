import { describe, expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { setTaskStatus } from '../../../src/core/handover/edit-tasks.ts'
import { readHandoverSession } from '../../../src/core/handover/handover-session.ts'
import { submitAnswer } from '../../../src/core/handover/submission.ts'
import { completedTasks, type TaskFacts, openGates } from '../../../src/core/handover/task-gates.ts'
import { answersFor, coderAnswer, gatesIn, givenFor, keptAnswer } from '../../rig/handover/answers.ts'
import { outputMessage } from '../../rig/handover/messages.ts'
import { json, SESSION, sessionIn, task } from '../../rig/handover/session-files.ts'

const NOW = '2026-02-01T00:00:00.000Z'
const [X, Y] = ['a'.repeat(40), 'b'.repeat(40)] as const
const ANSWERS = answersFor('T-001', SESSION, { 'src/a.ts': X })
const GIVEN = givenFor('T-001', SESSION, ANSWERS['messages/T-001.Coder.json'])

const sessionOf = (...tasks: object[]) => {
  const files = sessionIn('IMPLEMENT_LOOP', { files: { 'tasks.yaml': json({ tasks }) } })
  return readHandoverSession(files).session
}
const factsOf = (answers: Record<string, string | undefined>, more: Partial<TaskFacts> = {}): TaskFacts => ({
  answers: new Map(Object.entries(answers).flatMap(([file, it]) => (it === undefined ? [] : [[file, it]]))),
  idsOf: () => [X],
  isLater: false,
  ...more,
})
const open = (answers: Record<string, string | undefined>, more: Partial<TaskFacts> = {}, tasks: object[] = []) => {
  const first = task('T-001', 'implemented')
  return openGates(first, sessionOf(first, ...tasks), factsOf({ ...ANSWERS, ...answers }, more))
}
const reviewer = (more: object, based = GIVEN) => ({ 'messages/T-001.Reviewer.json': keptAnswer(based, more) })
const gates = (more: object) => ({
  gates: {
    ...{ meets_definition_of_done: true, needs_review: false, needs_tests: false, security_concerns: [] },
    ...more,
  },
})

describe('a gate of a task', () => {
  test('passes by an OK for the files that the Coder names, with the content that they have', () => {
    expect(open({})).toEqual([])
  })

  test.each<[title: string, answers: Record<string, string | undefined>, open: string[]]>([
    ['no answer', { 'messages/T-001.QA.json': undefined }, ['QA: nothing submitted']],
    ['an answer that is not OK', reviewer({ status: 'FAIL' }), ['Reviewer: FAIL']],
    ['an answer that is not valid', reviewer({ summary: '' }), [expect.stringContaining('Reviewer: not valid')]],
    [
      'the answer of another agent',
      reviewer({ agent: 'QA' }),
      ['Reviewer: not valid: expected the answer of Reviewer for T-001, found another'],
    ],
    ['the answer for another task', reviewer({ task: 'T-002' }), [expect.stringContaining('found another')]],
    ['text around it', { 'messages/T-001.QA.json': 'OK' }, [expect.stringContaining('QA: not valid')]],
    [
      'an OK of what is not done',
      reviewer(gates({ meets_definition_of_done: false })),
      [expect.stringContaining('not valid: expected meets_definition_of_done: true with the OK of a Reviewer')],
    ],
    [
      'an OK without tests',
      reviewer(gates({ needs_tests: true })),
      [expect.stringContaining('expected needs_tests: false')],
    ],
    [
      'an OK without a review',
      reviewer(gates({ needs_review: true })),
      [expect.stringContaining('expected needs_review: false')],
    ],
    [
      'an OK of what is dangerous',
      reviewer(gates({ security_concerns: ['critical: RCE'] })),
      [expect.stringContaining('Reviewer: not valid: expected BLOCKED, since a finding is high or critical')],
    ],
    ['an OK for nothing', reviewer({}, {}), ["Reviewer: OK from before the Coder's answer"]],
    [
      'an OK for another answer of the Coder',
      { 'messages/T-001.Coder.json': `${coderAnswer({ 'src/a.ts': X })}\n` },
      ["Reviewer: OK from before the Coder's answer", "QA: OK from before the Coder's answer"],
    ],
    [
      'an OK for no content',
      reviewer({}, { ...GIVEN, 'src/a.ts': undefined } as never),
      ['Reviewer: OK without an id of src/a.ts in based_on'],
    ],
    [
      'an OK for other content',
      reviewer({}, { ...GIVEN, 'src/a.ts': Y }),
      ['Reviewer: OK for other content of src/a.ts'],
    ],
    [
      'a Coder that is blocked',
      { 'messages/T-001.Coder.json': keptAnswer({}, { status: 'BLOCKED' }) },
      ['Coder: BLOCKED'],
    ],
    [
      'a Coder that names no file',
      { 'messages/T-001.Coder.json': keptAnswer({}) },
      ['Coder: no file in files_changed'],
    ],
  ])('stays open with %s', (_, answers, expected) => {
    expect(open(answers)).toEqual(expected)
  })

  test('is needed of Security for a task with that risk, in each mode', () => {
    const risky = { ...task('T-001', 'implemented'), risk_flags: ['security'] }
    const none = factsOf({})
    expect(openGates(risky, sessionOf(risky), none).map(it => it.split(':')[0])).toEqual([
      ...['Coder', 'Reviewer', 'QA', 'Security'],
    ])
    expect(openGates(task('T-001', 'implemented'), sessionOf(), none)).toHaveLength(3)
  })

  test('of two formats of ids takes either', () => {
    const coder = coderAnswer({ 'src/a.ts': X })
    const path = Object.keys(GIVEN).find(it => it.endsWith('Coder.json')) ?? ''
    expect(open(reviewer({}, { ...GIVEN, [path]: blobOid(Buffer.from(coder), 'sha256') }))).toEqual([])
  })
})

describe('a file that has changed since the OK', () => {
  const now = { idsOf: () => [Y] }
  const later = { ...now, isLater: true }
  const other = { 'messages/T-002.Coder.json': coderAnswer({ 'src/a.ts': Y }) }
  const reviewerOfNext = { 'messages/T-002.Reviewer.json': keptAnswer({ 'src/a.ts': Y }) }
  const changed = ['Reviewer: OK for other content of src/a.ts', 'QA: OK for other content of src/a.ts']

  test('opens the gate when the task is completed', () => {
    expect(open({}, now)).toEqual(changed)
    expect(open(other, now, [task('T-002', 'implemented')])).toEqual(changed)
  })

  test.each<[title: string, answers: Record<string, string>, tasks: object[], isExplained: boolean]>([
    ['nobody', {}, [], false],
    ['another task that is not begun', {}, [task('T-002', 'not-started')], false],
    ['another task that is in work', {}, [task('T-002', 'in-progress')], true],
    ['another task that is blocked', {}, [task('T-002', 'blocked')], true],
    ['one that is in work elsewhere', {}, [{ ...task('T-002', 'in-progress'), files_expected: ['src/b.ts'] }], false],
    ['one that is in work there', {}, [{ ...task('T-002', 'in-progress'), files_expected: ['src/a.ts'] }], true],
    ["another task's Coder, who left it so", other, [task('T-002', 'completed')], true],
    [
      "another task's Coder, who left it otherwise",
      { 'messages/T-002.Coder.json': coderAnswer({ 'src/a.ts': 'c'.repeat(40) }) },
      [task('T-002', 'completed')],
      false,
    ],
    ["another task's Reviewer, who has seen it so", reviewerOfNext, [task('T-002', 'completed')], true],
    ['a second review of the task itself', reviewer({}, { ...GIVEN, 'src/a.ts': Y }), [], false],
    ['an Integrator', { 'messages/meta.Integrator.json': coderAnswer({ 'src/a.ts': Y }) }, [], true],
  ])('is seen later as the work of %s', (_, answers, tasks, isExplained) => {
    const found = open(answers, later, tasks)
    if (isExplained) expect(found).toEqual([])
    else expect(changed).toEqual(expect.arrayContaining(found.slice(-1)))
  })

  test('is not compared where its content is unknown', () => {
    expect(open({}, { idsOf: () => [] })).toEqual([])
  })
})

test('the tasks that a change completes are those that were not completed', () => {
  const [one, two] = [task('T-001', 'completed'), task('T-002', 'completed')]
  expect(completedTasks(sessionOf(one, task('T-002', 'implemented')), sessionOf(one, two)).map(it => it.id)).toEqual([
    'T-002',
  ])
  expect(completedTasks(null, sessionOf(one, two))).toHaveLength(2)
  expect(completedTasks(sessionOf(one, two), sessionOf(one, two))).toEqual([])
})

test.each(['full', 'lean'] as const)('in %s mode a task is completed after its gates, one step at a time', mode => {
  const lean = mode === 'lean'
  const read = (status: string, files: Record<string, string> = {}) => {
    const texts = sessionIn('IMPLEMENT_LOOP', { lean, tasks: it => (it[0]!['status'] = status), files })
    return { session: readHandoverSession(texts).session, facts: gatesIn(texts) }
  }
  const complete = ({ session, facts }: ReturnType<typeof read>) =>
    setTaskStatus(session, { id: 'T-001', to: 'completed', role: 'Orchestrator', facts })
  expect(() => complete(read('implemented'))).toThrow(/Reviewer: nothing submitted; QA: nothing submitted/)
  const passed = answersFor('T-001', SESSION)
  expect(() => complete(read('in-progress', passed))).toThrow(/is in-progress, and is not set to completed/)
  const { 'messages/T-001.QA.json': _qa, ...withoutQa } = passed
  expect(() => complete(read('implemented', withoutQa))).toThrow(/: QA: nothing submitted$/)
  expect(Object.keys(complete(read('implemented', passed)).files)).toEqual(['tasks.yaml'])
  const { session, facts } = read('not-started')
  expect(() => setTaskStatus(session, { id: 'T-001', to: 'implemented', role: 'Coder', facts })).toThrow(/not-started/)
})

describe('the OK of a gate', () => {
  const message = (artifacts: object = {}) =>
    outputMessage({ artifacts: { commands_to_run: [], notes: [], ...artifacts } }) as never
  const submit = (status: string, agent: 'Coder' | 'Reviewer', answers: Record<string, string>, artifacts?: object) => {
    const at = { now: NOW, facts: factsOf(answers) }
    const { files } = submitAnswer(
      sessionOf(task('T-001', status)),
      { agent, task: 'T-001', message: message(artifacts) },
      at,
    )
    return JSON.parse(files[`messages/T-001.${agent}.json`] ?? '') as { artifacts: { based_on: object } }
  }
  const coder = { 'messages/T-001.Coder.json': coderAnswer({ 'src/a.ts': X }) }

  test('is kept with the ids of what it is for', () => {
    expect(submit('implemented', 'Reviewer', coder).artifacts.based_on).toMatchObject(GIVEN)
    const based = submit('implemented', 'Coder', {}, { files_changed: ['./src/b.ts'] }).artifacts.based_on
    expect(based).toMatchObject({ 'src/b.ts': X })
  })

  test('is refused before there is anything that it could be for', () => {
    expect(() => submit('implemented', 'Reviewer', {})).toThrow(/nothing that the OK of a Reviewer could be for/)
    expect(() => submit('in-progress', 'Reviewer', coder)).toThrow(/is in-progress: the OK of a Reviewer is for what/)
  })
})
