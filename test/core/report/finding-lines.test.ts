import { expect, test } from 'vitest'
import type { Finding } from '../../../src/core/base/finding.ts'
import { findingLines } from '../../../src/core/report/finding-lines.ts'

const finding = (more: Partial<Finding>): Finding => ({
  ...{ rule: 'in-scope', level: 'warn', path: 'a', message: 'a is outside', hint: 'Unstage it' },
  ...more,
})

test('a finding that is let through says from which day on it is refused', () => {
  expect(findingLines('kotef: commit', [finding({ blocksFrom: '2026-12-05' })])).toBe(
    [
      'kotef: commit, 0 problems, 1 thing to look at.',
      '  warn   a is outside; from 2026-12-05 on it is refused',
      '         Unstage it',
    ].join('\n'),
  )
})

test('of findings in a row with the same hint the last one has it, and what is only observed is not printed', () => {
  const lines = findingLines('t', [finding({}), finding({ message: 'b is outside' }), finding({ level: 'observe' })])
  expect(lines.split('\n').slice(1)).toEqual(['  warn   a is outside', '  warn   b is outside', '         Unstage it'])
  expect(
    findingLines('t', [finding({}), finding({ hint: '' })], 1)
      .split('\n')
      .at(-1),
  ).toBe('  … and 1 more')
})
