import { expect, test } from 'vitest'
import { lessonsFor, lessonsIn } from '../../../../src/core/agents/context/lessons.ts'
import { type Lesson, lessonOf } from '../../../../src/core/lessons/lesson.ts'

const scope = ['src/pay/**', 'docs/pay.md', '!src/pay/legacy/**']

test.each([
  ['what names no path concerns everybody', 'Round half up; see `half()` and https://example.org/a'],
  ['what only looks like a path', '`application/json`, `origin/main`, `node:fs/promises`, `@types/node`, `/api/users`'],
  ['a path with a line', '`src/pay/a.ts:14` and `src/pay/b.ts#L3` are odd.'],
  ['a path of the scope', 'Amounts are cents: `src/pay/refund.ts`.'],
  ['one of several paths', '`lib/x.ts` and `./docs/pay.md` go together.'],
  ['a folder in the scope', '`src/pay/deep/` is generated.'],
  ['a folder around it', 'All of `src/` is strict.'],
  ['a glob that may mean it', '`src/**/*.ts` has no default exports.'],
  ['a glob in it', '`src/pay/*.sql` is run by hand.'],
])('%s', (_, lesson) => {
  expect(lessonsIn(`# Lessons\n\n- ${lesson}\n`, scope)).toEqual([lesson])
})

test.each([
  ['a path elsewhere', '`src/auth/a.ts` is old.'],
  ['what the scope leaves out', '`src/pay/legacy/a.ts` is old.'],
  ['a folder elsewhere', 'Nobody touches `src/payment/`.'],
  ['a glob elsewhere', '`lib/**` is generated.'],
])('%s concerns nobody who works on it', (_, lesson) => {
  expect(lessonsIn(`- ${lesson}\n* Kept.\n`, scope)).toEqual(['Kept.'])
})

test('a recorded lesson concerns an intent by its paths, else by those in its text, the most useful first', () => {
  const recorded = (text: string, seen: number, paths: readonly string[] = []): Lesson => {
    const lesson = lessonOf({ signature: null, text, paths, intent: null, by: 'person' }, '2026-01-31')
    if (!lesson) throw new Error('The text says nothing.')
    return { ...lesson, seen }
  }
  const lessons = [
    recorded('everybody', 1),
    recorded('by its path', 4, ['src/pay/**']),
    recorded('by one of its paths', 2, ['lib/**', 'docs/pay.md']),
    recorded('elsewhere', 9, ['src/auth/**']),
    recorded('In `src/auth/a.ts`.', 9),
    recorded('In `src/auth/a.ts`, of the payments.', 3, ['src/pay/**']),
  ]
  const shown = ['by its path', 'In `src/auth/a.ts`, of the payments.', 'by one of its paths', 'everybody']
  expect(lessonsFor(lessons, scope)).toEqual(shown)
})
