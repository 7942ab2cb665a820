import { expect, test } from 'vitest'
import { type Intent, INTENT_STATUSES, type IntentStatus } from '../../../src/core/intents/intent.ts'
import { differOnlyByTransitions } from '../../../src/core/intents/lifecycle.ts'

const LEADS: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  PENDING: INTENT_STATUSES,
  IN_PROGRESS: ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'],
  BLOCKED: ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'],
  COMPLETED: ['COMPLETED'],
  ABANDONED: ['ABANDONED'],
}

test('an intent may have come as far as legal transitions lead, in any number', () => {
  for (const from of INTENT_STATUSES) {
    for (const to of INTENT_STATUSES) {
      expect({ from, to, isMove: differOnlyByTransitions([at(from)], [at(to)]) }).toEqual({
        from,
        to,
        isMove: LEADS[from].includes(to),
      })
    }
  }
})

test.each<[string, Intent[]]>([
  ['another scope', [{ ...at('PENDING'), owned_scope: ['**'] }]],
  ['another name', [{ ...at('PENDING'), name: 'other' }]],
  ['one more intent', [at('PENDING'), { ...at('PENDING'), id: 'INT-002' }]],
  ['none', []],
])('%s is more than a move', (_, after) => expect(differOnlyByTransitions([at('PENDING')], after)).toBe(false))

function at(status: IntentStatus): Intent {
  const lists = {
    owned_scope: [],
    constraints: [],
    acceptance_criteria: [],
    non_goals: [],
    related_specs: [],
    depends_on: [],
  }
  const rest = { description: '', appetite: 'Batch', created_at: null, updated_at: null } as const
  return { id: 'INT-001', name: 'w', status, ...lists, ...rest }
}
