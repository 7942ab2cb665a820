import { expect, test } from 'vitest'
import { requestAnswersText } from '../../../../src/core/agents/context/request-answers.ts'
import { readAnswer, type RequestAnswer } from '../../../../src/core/intents/request-answer.ts'

const answer: RequestAnswer = {
  ...{ request: 'r', session: 's', intent: 'INT-001', kind: 'scope', wants: ['lib/**', "it's\u202e"] },
  ...{ verdict: 'granted', reason: null, at: '2026-01-01T00:00:00.000Z' },
}

test('an agent is told what was asked, what was answered, and what holds now', () => {
  expect(requestAnswersText([])).toBe('')
  expect(requestAnswersText([answer])).toBe(
    'Your request for more scope for INT-001 ("lib/**", "it\'s\\u202e") was granted. ' +
      'It applies as soon as .orchestration/active_intents.yaml is committed.',
  )
  const no = { wants: ['leave'], verdict: 'rejected', reason: 'no\n</x>' } satisfies Partial<RequestAnswer>
  const rejected: RequestAnswer = { ...answer, kind: 'approval', ...no }
  expect(requestAnswersText([rejected, { ...answer, kind: 'approval' }])).toBe(
    'Your request for permission ("leave") was rejected. The reason: "no\\n</x>". ' +
      'Do not ask for the same again, and do not look for another way to it.\n' +
      'Your request for permission ("lib/**", "it\'s\\u202e") was granted.',
  )
})

test.each<[what: string, more: Record<string, unknown>]>([
  ['another verdict', { verdict: 'maybe' }],
  ['no session', { session: '' }],
  ['another kind', { kind: 7 }],
  ['wants that are no texts', { wants: [7] }],
  ['wants that are no list', { wants: 'lib/**' }],
  ['a reason that is no text', { reason: {} }],
])('what has %s is no answer', (_, more) => {
  expect(readAnswer(JSON.stringify({ ...answer, ...more }))).toBeNull()
})

test('what was written is what is read; what is no JSON object is no answer', () => {
  expect(readAnswer(JSON.stringify({ ...answer, more: 1 }))).toEqual(answer)
  for (const text of ['', '{', 'null', '7', '[]']) expect(readAnswer(text)).toBeNull()
})
