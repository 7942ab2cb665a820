import { expect, test } from 'vitest'
import { text } from '../../rig/safe-events.ts'
import { decisionText, heldText, stoppedMessage } from '../../../src/core/runs/run-text.ts'

const seen = { rule: 'same-error', evidence: text('Bash make failed 4 times') }

test.each([
  ['running', /^$/],
  ['warn', /^kotef warns: Bash make failed 4 times \(rule `same-error`\)\. Try another way/],
  ['done_success', /^kotef: INT-001 is done\. .* Stop here/],
  ['done_partial', /^kotef: the checks of INT-001 pass\. .* say what remains/],
  ['aborted_stuck', /^kotef stopped this run, aborted_stuck: .* a person's next message starts a new run\.$/],
  ['aborted_constraint', /^kotef stopped this run, aborted_constraint: /],
] as const)('%s', (status, said) => {
  expect(decisionText({ status, ...seen }, 'INT-001')).toMatch(said)
})

test('a refused call has the status, the evidence and the rule', () => {
  expect(stoppedMessage({ status: 'aborted_stuck', ...seen, at: 0 })).toBe(
    'This run has ended, aborted_stuck: Bash make failed 4 times (rule `same-error`).',
  )
})

test('an agent that is sent back reads what has not passed, and at most ten of it', () => {
  const open = Array.from({ length: 12 }, (_, n) => ({ command: `test${n}\u202e`, why: 'failed' as const }))
  const lines = heldText('INT-001', open).split('\n')
  expect([lines.length, lines[1], lines[11]]).toEqual([13, '- `test0\\u202e`: failed', '- and 2 more checks'])
  expect(lines.at(-1)).toMatch(/^Run `npx kotef-watch check INT-001`/)
})
