import { describe, expect, test } from 'vitest'
import { type Advance, advanceSession } from '../../../src/core/handover/advance.ts'
import { checkHandover } from '../../../src/core/handover/check-session.ts'
import { answerUser, askGate, askUser, endQuestion } from '../../../src/core/handover/edit-decisions.ts'
import type { HandoverSession, SessionFiles } from '../../../src/core/handover/handover-session.ts'
import type { FixLoop, MainState } from '../../../src/core/handover/workflow.ts'
import { edited, NOW, read } from '../../rig/handover/edited.ts'
import { pending, SESSION, sessionIn, task } from '../../rig/handover/session-files.ts'

const asking = (...decisions: object[]): SessionFiles =>
  sessionIn('IMPLEMENT_LOOP', {
    status: it => {
      it['user_decisions'].push(...decisions)
      it['current_state'] = 'ASK_USER'
    },
  })
const answer = (files: SessionFiles, answers: Record<string, string | null>) =>
  answerUser(read(files), new Map(Object.entries(answers)), NOW)
const statusesOf = ({ status }: HandoverSession) =>
  status?.user_decisions.filter(it => /^UD-\d/.test(it.decision_id)).map(it => [it.decision_id, it.status, it.answer])

const STATES: readonly MainState[] = [
  ...(['INTAKE', 'DESIGN', 'APPROVE_DESIGN', 'PLAN', 'REVIEW_STRATEGY', 'IMPLEMENT_LOOP'] as const),
  ...(['FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY', 'INTEGRATE', 'FIX_BUILD', 'RELEASE'] as const),
]

describe('questions', () => {
  test('get the next numbers, and interrupt the state', () => {
    const files = sessionIn('DESIGN')
    const { status, state } = edited(files, askUser(read(files), [{ question: 'a' }, { question: 'b' }], NOW))
    expect([status?.current_state, state]).toEqual(['ASK_USER', 'DESIGN'])
    expect(status?.user_decisions.map(it => [it.decision_id, it.state_context])).toEqual([
      ['UD-1', 'DESIGN'],
      ['UD-2', 'DESIGN'],
    ])
  })

  test('go on from the highest number, whatever order the others are in', () => {
    const ended = { status: 'answered', answer: 'EUR', resolved_at: NOW, state_context: 'DESIGN' }
    const before = [7, 1, 3].map(it => pending(it, ended))
    const files = sessionIn('DESIGN', { status: it => it['user_decisions'].push(...before) })
    const { status } = edited(files, askUser(read(files), [{ question: 'a' }, { question: 'b' }], NOW))
    expect(status?.user_decisions.map(it => it.decision_id)).toEqual(['UD-7', 'UD-1', 'UD-3', 'UD-8', 'UD-9'])
  })

  test.each(STATES)('interrupt %s, which goes on with the answer', state => {
    const files = sessionIn(state)
    const asked = edited(files, askUser(read(files), [{ question: 'a' }], NOW))
    expect([asked.status?.current_state, asked.state]).toEqual(['ASK_USER', state])
    const { edit } = answer({ name: SESSION, texts: asked.texts }, { 'UD-1': 'EUR' })
    expect(edited({ name: SESSION, texts: asked.texts }, edit).status?.current_state).toBe(state)
  })

  test('are ended by answers; one without an answer is cancelled, and the state goes on', () => {
    const files = asking(pending(1), pending(2))
    const { edit, again } = answer(files, { 'UD-1': 'EUR', 'UD-2': null })
    const session = edited(files, edit)
    expect([again, session.status?.current_state]).toEqual([[], 'IMPLEMENT_LOOP'])
    expect(statusesOf(session)).toEqual([
      ['UD-1', 'answered', 'EUR'],
      ['UD-2', 'cancelled', null],
    ])
    expect(session.status?.user_decisions.at(-1)?.resolution_reason).toBe('no response provided')
  })

  test('of security stay open without an answer; only a reason of the user ends them', () => {
    const files = asking(pending(1), pending(2, { security: true }))
    const { edit, again } = answer(files, { 'UD-1': 'EUR', 'UD-2': ' ' })
    const session = edited(files, edit)
    expect([again, session.status?.current_state]).toEqual([['UD-2'], 'ASK_USER'])
    const after = { name: SESSION, texts: session.texts }
    const ended = endQuestion(session, 'UD-2', { how: 'cancelled', reason: 'user deferred', now: NOW })
    expect(edited(after, ended).status?.current_state).toBe('IMPLEMENT_LOOP')
  })

  test.each([
    ['skipped', 'n/a'],
    ['skipped', 'the plan changed'],
    ['cancelled', 'no response provided'],
    ['cancelled', 'No answer.'],
    ['cancelled', 'n/a'],
  ] as const)('of security are not %s because of %s, by an edit or by hand', (how, reason) => {
    const files = asking(pending(1, { security: true }))
    expect(() => endQuestion(read(files), 'UD-1', { how, reason, now: NOW })).toThrow(/defers it with a reason/)
    const ended = { security: true, status: how, resolved_at: NOW, resolution_reason: reason }
    const byHand = asking(pending(1, ended), pending(2))
    expect(checkHandover(byHand).map(it => it.pointer)).toEqual([
      `user_decisions/UD-1/${how === 'skipped' ? 'status' : 'resolution_reason'}`,
    ])
  })

  test.each<[what: string, run: () => unknown, message: RegExp]>([
    ['an unknown one', () => answer(asking(pending(1)), { 'UD-9': 'x' }), /no question UD-9/],
    ['one that was skipped', () => answer(edited1(), { 'UD-1': 'x' }), /UD-1 is skipped already/],
    ['one in a session that is done', () => askUser(read(sessionIn('DONE')), [{ question: 'a' }], NOW), /is in DONE/],
    ['of a gate in another state', () => askGate(read(sessionIn('PLAN')), 'design', NOW), /not in APPROVE_DESIGN/],
  ])('that can’t be edited: %s', (_, run, message) => {
    expect(run).toThrow(message)
  })

  function edited1(): SessionFiles {
    const files = asking(pending(1), pending(2))
    return edited(files, endQuestion(read(files), 'UD-1', { how: 'skipped', reason: 'x', now: NOW }))
  }
})

describe('the gate of the design', () => {
  const open = (): HandoverSession => {
    const files = sessionIn('APPROVE_DESIGN')
    return edited(files, askGate(read(files), 'design', NOW))
  }

  test.each([
    ['approved', 'answered', []],
    ['approved, and quick', 'answered', []],
    ['changes-requested: less', 'answered', []],
    ['approvedly', 'pending', ['UD-APPROVE-DESIGN']],
    ['changes-requested:', 'pending', ['UD-APPROVE-DESIGN']],
    ['yes', 'pending', ['UD-APPROVE-DESIGN']],
    [null, 'pending', ['UD-APPROVE-DESIGN']],
  ])('answered with %j is %s', (text, status, again) => {
    const session = open()
    const answered = answer(session, { 'UD-APPROVE-DESIGN': text })
    expect(answered.again).toEqual(again)
    expect(edited(session, answered.edit).status?.user_decisions.at(-1)?.status).toBe(status)
  })

  test('keeps what was requested before the question is asked again, and binds an approval to the files', () => {
    const session = open()
    const requested = edited(session, answer(session, { 'UD-APPROVE-DESIGN': 'changes-requested: less' }).edit)
    expect(requested.history.map(it => it.answer)).toEqual(['changes-requested: less'])
    expect(requested.status?.gate_tracking?.APPROVE_DESIGN).toEqual({
      correction_status: 'queued',
      last_correction_dispatch: { agent: null, task_id: null, at: null },
    })
    expect(() => askGate(requested, 'design', NOW)).toThrow(/queued/)
    const inDesign = edited(requested, advanceSession(requested, { to: 'DESIGN', now: NOW, agent: 'Architect' }))
    expect(inDesign.status?.gate_tracking?.APPROVE_DESIGN).toMatchObject({
      correction_status: 'dispatched',
      last_correction_dispatch: { agent: 'Architect', task_id: 'meta', at: NOW },
    })
    const less = `${inDesign.texts.get('architecture.md')}\nLess.\n`
    const corrected = read({ name: SESSION, texts: new Map([...inDesign.texts, ['architecture.md', less]]) })
    const back = edited(corrected, advanceSession(corrected, { to: 'APPROVE_DESIGN', now: NOW }))
    const asked = edited(back, askGate(back, 'design', NOW))
    const done = edited(asked, answer(asked, { 'UD-APPROVE-DESIGN': 'approved' }).edit)
    expect(Object.keys(done.status?.user_decisions.at(-1)?.approved ?? {})).toEqual([
      'spec.md',
      'acceptance.json',
      'architecture.md',
    ])
    expect(done.status?.gate_tracking?.APPROVE_DESIGN?.correction_status).toBe('none')
  })

  test('without a decision blocks the session', () => {
    const session = open()
    const ended = endQuestion(session, 'UD-APPROVE-DESIGN', { how: 'cancelled', reason: 'x', now: NOW })
    expect(edited(session, ended).status).toMatchObject({
      current_state: 'BLOCKED',
      blocked_from: 'APPROVE_DESIGN',
      blocker: 'mandatory_user_decision_missing',
    })
  })
})

test.each([
  ['per-batch', 'per-batch'],
  ['Per Batch', 'per-batch'],
  ['SINGLE_FINAL', 'single-final'],
  ['both', null],
])('the review strategy %j is %j', (text, kept) => {
  const files = sessionIn('REVIEW_STRATEGY')
  const session = edited(files, askGate(read(files), 'strategy', NOW))
  const { edit, again } = answer(session, { 'UD-REVIEW-STRATEGY': text })
  expect(again).toEqual(kept === null ? ['UD-REVIEW-STRATEGY'] : [])
  expect(edited(session, edit).status?.user_decisions.at(-1)?.answer).toBe(kept)
})

describe('advance', () => {
  const go = (files: SessionFiles, advance: Partial<Advance> & Pick<Advance, 'to'>) =>
    edited(files, advanceSession(read(files), { now: NOW, ...advance }))

  test('counts the rounds of repairs of a task, three of them', () => {
    let session = read(sessionIn('IMPLEMENT_LOOP', { tasks: it => it.push(task('T-002', 'in-progress')) }))
    for (let n = 1; n <= 3; n++) {
      session = go(session, { to: 'FIX_TESTS', task: 'T-001' })
      expect(session.status?.retry_counts).toEqual({ 'T-001': { FIX_TESTS: n } })
      session = go(session, { to: 'IMPLEMENT_LOOP' })
    }
    expect(() => go(session, { to: 'FIX_TESTS', task: 'T-001' })).toThrow(/T-001 went through FIX_TESTS 3 times/)
    expect(go(session, { to: 'FIX_TESTS', task: 'T-002' }).state).toBe('FIX_TESTS')
  })

  test('has three rounds for each loop of a task, and asks the user when they are used up', () => {
    let session = read(sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'implemented') }))
    for (const loop of ['FIX_REVIEW', 'FIX_TESTS', 'FIX_SECURITY'] as const) {
      for (let n = 0; n < 3; n++) session = go(go(session, { to: loop }), { to: 'IMPLEMENT_LOOP' })
      expect(() => go(session, { to: loop })).toThrow(
        expect.objectContaining({ hint: expect.stringContaining('kotef handover ask') }),
      )
    }
    expect(session.status?.retry_counts).toEqual({ 'T-001': { FIX_REVIEW: 3, FIX_TESTS: 3, FIX_SECURITY: 3 } })
    expect(edited(session, askUser(session, [{ question: 'Simplify?' }], NOW)).status?.current_state).toBe('ASK_USER')
  })

  test.each<[loop: FixLoop, statuses: string[], counted: string | null]>([
    ['FIX_REVIEW', ['implemented'], 'T-001'],
    ['FIX_TESTS', ['completed', 'implemented'], 'T-002'],
    ['FIX_TESTS', ['implemented', 'implemented'], null],
    ['FIX_SECURITY', ['in-progress'], null],
    ['FIX_BUILD', ['completed'], 'T-001'],
    ['FIX_BUILD', ['completed', 'completed'], null],
  ])('counts a round of %s with tasks that are %j for %s', (loop, statuses, counted) => {
    const tasks = statuses.map((it, n) => task(`T-00${n + 1}`, it))
    const state = loop === 'FIX_BUILD' ? 'INTEGRATE' : 'IMPLEMENT_LOOP'
    const files = sessionIn(state, { tasks: it => it.splice(0, 1, ...tasks) })
    const round = () => go(files, { to: loop }).status?.retry_counts
    if (counted !== null) expect(round()).toEqual({ [counted]: { [loop]: 1 } })
    else expect(round).toThrow(`The task that ${loop} is for is missing.`)
    expect(() => go(files, { to: loop, task: 'T-999' })).toThrow(/has no task T-999/)
    expect(() => go(files, { to: loop, task: 'meta' })).toThrow(/has no task meta/)
  })

  test('blocks for a reason, and goes on where it was', () => {
    const blocked = go(sessionIn('PLAN'), { to: 'BLOCKED', reason: 'subagent_failure' })
    expect(() => go(blocked, { to: 'DESIGN' })).toThrow(/was blocked in PLAN/)
    expect(go(blocked, { to: 'PLAN' }).status).toMatchObject({ blocker: null, blocked_from: null })
    expect(() => go(sessionIn('PLAN'), { to: 'BLOCKED' })).toThrow(/What blocks the session is missing/)
  })

  test.each(STATES)('from BLOCKED leads to %s alone when that is what was blocked', state => {
    const blocked = go(sessionIn(state), { to: 'BLOCKED', reason: 'subagent_failure' })
    expect(blocked.status).toMatchObject({ current_state: 'BLOCKED', blocked_from: state, blocker: 'subagent_failure' })
    expect(() => askUser(blocked, [{ question: 'a' }], NOW)).toThrow(/is in BLOCKED, where nothing is asked/)
    const ways = [...STATES, 'DONE' as const].filter(to => {
      try {
        return Object.keys(advanceSession(blocked, { to, now: NOW }).files).length > 0
      } catch {
        return false
      }
    })
    expect(ways).toEqual([state])
  })

  test('starts a lean session again in full', () => {
    expect(go(sessionIn('IMPLEMENT_LOOP', { lean: true }), { to: 'INTAKE' })).toMatchObject({ mode: 'full' })
  })

  test.each<[files: SessionFiles, to: Advance['to'], message: RegExp]>([
    [sessionIn('INTAKE'), 'PLAN', /INTAKE does not lead to PLAN/],
    [sessionIn('PLAN'), 'ASK_USER', /A question leads there/],
    [asking(pending(1)), 'INTEGRATE', /waits for the user/],
    [sessionIn('RELEASE'), 'DONE', /report\.md: expected a report/],
    [sessionIn('DONE'), 'RELEASE', /DONE does not lead/],
    [{ name: SESSION, texts: new Map() }, 'PLAN', /status\.json of .* is not valid/],
  ])('refuses what is not legal %#', (files, to, message) => {
    expect(() => go(files, { to })).toThrow(message)
  })
})
