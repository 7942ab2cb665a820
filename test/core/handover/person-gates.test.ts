import { expect, test } from 'vitest'
import { endedByChange, personsQuestionFailure, personsQuestions } from '../../../src/core/handover/person-gates.ts'
import type { UserDecision } from '../../../src/core/handover/status-file.ts'

const decision = (decision_id: string, more: Partial<UserDecision> = {}): UserDecision => ({
  ...{ decision_id, question: '?', status: 'pending', answer: null, asked_at: '2026-01-31T09:00:00Z' },
  ...{ resolved_at: null, state_context: 'DESIGN', resolution_reason: null, ...more },
})
const GATE = 'UD-APPROVE-DESIGN'
const pending = [decision('UD-1'), decision('UD-2', { security: true }), decision(GATE)]
const withEnd = (id: string) => pending.map(it => (it.decision_id === id ? { ...it, status: 'answered' as const } : it))

test('the questions of gates and of security are for a person', () => {
  const all = ['UD-1', 'UD-2', GATE, 'UD-REVIEW-STRATEGY', 'UD-OTHER']
  expect(personsQuestions({ user_decisions: pending }, all)).toEqual(['UD-2', GATE, 'UD-REVIEW-STRATEGY'])
  expect(personsQuestions(null, all)).toEqual([GATE, 'UD-REVIEW-STRATEGY'])
})

test.each<[title: string, before: readonly UserDecision[] | null, after: readonly UserDecision[], ended: string[]]>([
  ['an answer of a gate', pending, withEnd(GATE), [GATE]],
  ['an answer about security', pending, withEnd('UD-2'), ['UD-2']],
  [
    'an answer about security that is no longer marked so',
    pending,
    [decision('UD-2', { status: 'answered' })],
    ['UD-2'],
  ],
  ['another answer', pending, withEnd('UD-1'), []],
  ['an answer that was there before', withEnd(GATE), withEnd(GATE), []],
  ['another answer of a gate', withEnd(GATE), [decision(GATE, { status: 'answered', answer: 'approved' })], [GATE]],
  ['an answer to a question that nobody asked', null, withEnd(GATE), [GATE]],
  ['nothing', pending, pending, []],
])('what a change ends for a person: %s', (_, before, after, ended) => {
  const statusOf = (it: readonly UserDecision[] | null) => it && { user_decisions: [...it] }
  expect(endedByChange(statusOf(before), statusOf(after))).toEqual(ended)
})

test('an agent is told what a person runs', () => {
  expect(personsQuestionFailure('aider', '2026-01-31_refunds', [GATE])).toMatchObject({
    code: 'person-needed',
    message: `aider can't end ${GATE} of 2026-01-31_refunds: a person must (\`handover.gates: person\`).`,
    hint: 'A person runs, at a terminal: `kotef handover answer --session 2026-01-31_refunds`',
  })
})
