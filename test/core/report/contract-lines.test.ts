import { expect, test } from 'vitest'
import { intentConstraints, type IntentContract } from '../../../src/core/intents/contract/intent-contract.ts'
import type { Intent } from '../../../src/core/intents/intent.ts'
import { contractLines } from '../../../src/core/report/contract-lines.ts'

const CONSTRAINTS: readonly (readonly [text: string, how: string])[] = [
  ['DO NOT touch `vendor/**`', 'checked: writes to vendor/**'],
  ['Never run `npm publish`', 'checked: runs of npm publish'],
  ['DO NOT change more than 5 files', 'checked: at most 5 files'],
  ['DO NOT change more than 1 line', 'checked: at most 1 line'],
  ['DO NOT add dependencies', 'checked: no new dependency'],
  ['No behaviour change', 'checked: each change is layout or a refactoring'],
  ['Be kind', 'advice'],
]

test('each constraint says what is checked of it', () => {
  const constraints = intentConstraints({ constraints: CONSTRAINTS.map(([text]) => text) } as unknown as Intent, 'r')
  const nothing = { ticketId: null, nonGoals: [], dodChecks: [], forbiddenPaths: [] }
  const contract: IntentContract = { intent: 'INT-001', goal: 'pay', appetite: 'Small', constraints, ...nothing }
  const lines = CONSTRAINTS.map(([text, how]) => `  - ${text}  [${how}]  (r)`)
  expect(contractLines(contract)).toEqual(['INT-001: pay', 'appetite Small', 'constraints', ...lines])
})
