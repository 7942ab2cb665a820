import { expect, test } from 'vitest'
import {
  errorLine,
  fixedCheckLesson,
  joinedWrites,
  refusedWritesLesson,
  widenedScopeLesson,
} from '../../../src/lessons/automatic.ts'

const fixed = {
  ...{ command: 'npm test', failure: '0123456789abcdef', error: 'AssertionError: expected 3 to be 2' },
  ...{ changed: ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'], intent: 'INT-001' },
}

test('a repaired check says which one failed how, and which files changed', () => {
  expect(fixedCheckLesson(fixed)).toEqual({
    signature: 'check npm test 0123456789abcdef',
    text:
      '`npm test` failed with "AssertionError: expected 3 to be 2" (0123456789abcdef) ' +
      'until `src/a.ts`, `src/b.ts`, `src/c.ts` and 1 more changed.',
    ...{ paths: fixed.changed, intent: 'INT-001', by: 'check' },
  })
  expect(fixedCheckLesson({ ...fixed, error: '', changed: ['a`b'] })?.text).toBe(
    '`npm test` failed (0123456789abcdef) until "a`b" changed.',
  )
  expect(fixedCheckLesson({ ...fixed, changed: [] })).toBeNull()
  const long = fixedCheckLesson({ ...fixed, command: 'x'.repeat(500), error: 'y'.repeat(500) })
  expect(long?.text.length).toBeLessThan(320)
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

test.each([
  [
    'vitest',
    ' FAIL  a.test.ts > adds\nAssertionError: expected 3 to be 2 // Object.is',
    'AssertionError: expected 3 to be 2 // Object.is',
  ],
  [
    'tsc',
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
  ],
  ['pytest', '> assert add(1, 2) == 4\nE  AssertionError: assert 3 == 4', 'E  AssertionError: assert 3 == 4'],
  ['a long line', `Error: ${'x'.repeat(400)}\nexpected 1`, 'expected 1'],
  ['nothing', 'ok\n', ''],
])('the line that names the error of %s', (_, output, line) => {
  expect(errorLine(output)).toBe(line)
})
