import { expect, test } from 'vitest'
import { withoutOldTexts } from '../../../src/core/runs/old-reports.ts'

test.each([
  ['- Evidence: hunter2', null],
  ['- Last command: hunter2', null],
  ['- Last result: hunter2', null],
  ['- Last reason: hunter2', null],
  ['- step 3: hunter2', null],
  ['  - hunter2', null],
  ['- Loop: same-call: hunter2', '- Loop: same-call'],
  ['- Loop: "same-call: hunter2"', '- Loop: same-call'],
  ['- Constraint: hard-constraint: hunter2', '- Constraint: hard-constraint'],
  ['- Session: s', '- Session: s'],
  ['- planner -> coder: 1 time', '- planner -> coder: 1 time'],
])('%s', (line, kept) => {
  expect(withoutOldTexts(`a\n${line}\nb`)).toBe(kept === null ? 'a\nb' : `a\n${kept}\nb`)
})
