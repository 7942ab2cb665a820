import { expect, test } from 'vitest'
import { idsOfName, intentName } from '../../../src/core/authorship/line-intent.ts'

test('a line has one intent, either of several, or none', () => {
  expect(intentName({ intent: 'INT-001' })).toBe('INT-001')
  expect(intentName({ intent: null, either: ['INT-001', 'INT-002'] })).toBe('INT-001 or INT-002')
  expect(intentName({ intent: null })).toBeNull()
})

test('the ids are found in the name again', () => {
  expect(idsOfName('INT-001 or INT-002')).toEqual(['INT-001', 'INT-002'])
  expect(idsOfName('INT-001')).toEqual(['INT-001'])
})
