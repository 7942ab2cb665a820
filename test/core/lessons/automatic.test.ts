import { expect, test } from 'vitest'
import { fixedCheckLesson, widenedScopeLesson } from '../../../src/core/lessons/automatic.ts'
import { text } from '../../rig/safe-events.ts'

const fixed = {
  ...{ what: text('npm test'), error: text('AssertionError at `a.test.ts:3`') },
  ...{ changed: ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'], intent: 'INT-001' },
}

test('a repaired check says which one failed how, and which files changed', () => {
  expect(fixedCheckLesson(fixed)).toEqual({
    signature: 'check npm test AssertionError at `a.test.ts:3`',
    text:
      '`npm test` failed with AssertionError at `a.test.ts:3` ' +
      'until `src/a.ts`, `src/b.ts`, `src/c.ts` and 1 more changed.',
    ...{ paths: fixed.changed, intent: 'INT-001', by: 'check' },
  })
  expect(fixedCheckLesson({ ...fixed, error: text(''), changed: ['a`b'] })).toMatchObject({
    ...{ signature: null, text: '`npm test` failed until "a`b" changed.' },
  })
  expect(fixedCheckLesson({ ...fixed, changed: [] })).toBeNull()
  expect(fixedCheckLesson({ ...fixed, what: text('x'.repeat(500)) })?.text.length).toBeLessThan(320)
})

test('a widened scope says which paths such work needs', () => {
  const widened = { intent: 'INT-001', scope: ['src/pay/**', '!src/pay/old/**'], wants: ['lib/money.ts', 'src/pay/**'] }
  expect(widenedScopeLesson(widened)).toMatchObject({
    text: 'Work on `src/pay/**` (INT-001) needed `lib/money.ts` as well.',
    paths: ['src/pay/**', 'lib/money.ts'],
  })
  expect(widenedScopeLesson({ ...widened, wants: ['src/pay/**'] })).toBeNull()
})
