import { expect, test } from 'vitest'
import { certaintyText } from '../../../src/core/report/certainty.ts'

test.each([
  [{ attribution: 'claimed' }, '(claimed)'],
  [{ attribution: 'window', doubt: 'person' }, '(window; a command ran, and a person may have written it meanwhile)'],
  [{ attribution: 'window', doubt: 'agent' }, '(window; another agent’s command ran too, and may have written it)'],
] as const)('an author is known as %j says', (certainty, text) => {
  expect(certaintyText(certainty)).toBe(text)
})
