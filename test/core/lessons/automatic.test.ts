import { expect, test } from 'vitest'
import {
  fixedCheckLesson,
  joinedWrites,
  refusedWritesLesson,
  widenedScopeLesson,
} from '../../../src/lessons/automatic.ts'
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

const refused = { code: 'scope-violation', paths: ['lib/x.ts'], intent: 'INT-001', changed: ['src/a.ts'] }

test('a refused write says what was done in its place', () => {
  expect(refusedWritesLesson(refused, 'claude/s1')).toMatchObject({
    signature: 'refused scope-violation lib/x.ts',
    text: 'A write to `lib/x.ts` was refused for INT-001 (scope-violation); the work was done in `src/a.ts`.',
    ...{ paths: ['src/a.ts'], by: 'claude/s1' },
  })
  expect(refusedWritesLesson({ ...refused, changed: [] }, 'claude/s1')).toBeNull()
  const allowed = joinedWrites([], { ...refused, changed: ['src/a.ts', 'lib/x.ts'] })
  expect(refusedWritesLesson(allowed, 'claude/s1'), 'it was allowed later').toBeNull()
})

test('more writes that a rule refuses for an intent are the same lesson, and those of another one are not', () => {
  const more = { ...refused, paths: ['lib/y.ts', 'lib/x.ts'], changed: ['src/b.ts'] }
  const joined = joinedWrites([{ ...refused, intent: 'INT-002', paths: ['docs/z.md'] }, refused], more)
  expect(refusedWritesLesson(joined, 'claude/s1')).toMatchObject({
    signature: 'refused scope-violation lib/x.ts',
    text:
      'Writes to `lib/x.ts`, `lib/y.ts` were refused for INT-001 (scope-violation); ' +
      'the work was done in `src/a.ts`, `src/b.ts`.',
  })
  expect(joinedWrites([refused], { ...more, code: 'path-forbidden' }).paths).toEqual(['lib/y.ts', 'lib/x.ts'])
  const many = Array.from({ length: 500 }, (_, n) => `lib/${n}.ts`)
  expect(joinedWrites([refused], { ...refused, paths: many }).paths).toHaveLength(20)
})

test('a widened scope says which paths such work needs', () => {
  const widened = { intent: 'INT-001', scope: ['src/pay/**', '!src/pay/old/**'], wants: ['lib/money.ts', 'src/pay/**'] }
  expect(widenedScopeLesson(widened)).toMatchObject({
    text: 'Work on `src/pay/**` (INT-001) needed `lib/money.ts` as well.',
    paths: ['src/pay/**', 'lib/money.ts'],
  })
  expect(widenedScopeLesson({ ...widened, wants: ['src/pay/**'] })).toBeNull()
})
