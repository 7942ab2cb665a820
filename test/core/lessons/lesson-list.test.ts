import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Lesson, type LessonDraft, lessonOf } from '../../../src/core/lessons/lesson.ts'
import { lessonLine } from '../../../src/core/lessons/lesson-line.ts'
import {
  boundLessons,
  byUse,
  lessonsInUse,
  markAhead,
  mergeLessons,
  stillWaiting,
  withLesson,
  withWaiting,
} from '../../../src/core/lessons/lesson-list.ts'

const LIMITS = { items: 100, bytes: 16_384 }
const draft = (text: string, more: Partial<LessonDraft> = {}): LessonDraft => {
  return { signature: null, text, paths: [], intent: null, by: 'person', ...more }
}
const lesson = (text: string, more: Partial<Lesson> = {}): Lesson => {
  const made = lessonOf(draft(text), '2026-01-31')
  if (!made) throw new Error('The text says nothing.')
  return { ...made, ...more }
}
const sizeOf = (lessons: readonly Lesson[]) => Buffer.byteLength(lessons.map(it => `${lessonLine(it)}\n`).join(''))

const anyLesson = fc
  .tuple(
    fc.constantFrom('a', 'A!', 'b', 'c d', 'c-d', 'e'),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([text, seen, day]) => lesson(text, { seen, at: `2026-01-0${day}`, by: `p${seen}` }))
const anyList = fc.array(anyLesson, { maxLength: 6 })

test('ten thousand lessons stay within both limits, and a new one always gets in', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => {
    return lesson(`Lesson ${n} ${'x'.repeat(n % 300)}`, { seen: 1 + (n % 50), at: '2026-01-30' })
  })
  const { lessons } = withLesson(many, draft('The new one.'), { today: '2026-01-31', limits: LIMITS })
  expect(lessons.length).toBeLessThanOrEqual(100)
  expect(sizeOf(lessons)).toBeLessThanOrEqual(16_384)
  expect(lessons.map(it => it.text)).toContain('The new one.')
  let kept: readonly Lesson[] = []
  for (let n = 0; n < 300; n++) {
    const next = withLesson(kept, draft(`Lesson ${n}`), { today: '2026-01-31', limits: LIMITS })
    kept = next.lessons
    expect(kept).toContainEqual(next.lesson)
  }
  expect(kept).toHaveLength(100)
})

test('the oldest and least used lessons go first', () => {
  const all = [
    lesson('old', { at: '2025-01-01' }),
    lesson('old, but used', { at: '2025-12-01', seen: 16 }),
    lesson('recent', { at: '2026-01-30' }),
    lesson('no date', { at: '', seen: 9_999 }),
  ]
  expect(byUse(all).map(it => it.text)).toEqual(['old, but used', 'recent', 'old', 'no date'])
  const kept = boundLessons(all, { items: 2, bytes: 16_384 })
  expect(kept.map(it => it.text).sort()).toEqual(['old, but used', 'recent'])
})

test('the same lesson again raises its count and date, by signature and by the words of its text', () => {
  const on = (today: string) => ({ today, limits: LIMITS })
  const first = withLesson([], draft('Round half up.', { signature: 'check a' }), on('2026-01-01'))
  const again = withLesson(first.lessons, draft('Round halves up!', { signature: 'check a' }), on('2026-01-02'))
  expect(again.lessons).toEqual([{ ...first.lesson, seen: 2, at: '2026-01-02' }])
  const byWords = withLesson(again.lessons, draft('round HALF up'), on('2026-01-03'))
  expect(byWords.lessons).toEqual([{ ...first.lesson, seen: 3, at: '2026-01-03' }])
  expect(withLesson([], draft('a\u0301'), on('2026-01-01')).lesson?.text).toBe('\u00e1')
  expect(withLesson(byWords.lessons, draft(' \u200b\n'.slice(0, 1)), on('2026-01-04')).lesson).toBeNull()
})

test('the last wording of a lesson counts where nobody edits the list', () => {
  const terms = { today: '2026-01-02', limits: LIMITS, rewords: true } as const
  const before = [lesson('One path.', { id: 'aaaaaa' }), lesson('Other.')]
  const known = withLesson(before, draft('One path.'), terms).lessons
  expect(known.map(it => [it.text, it.seen]).sort()).toEqual([
    ['One path.', 2],
    ['Other.', 1],
  ])
  const first = withLesson([], draft('One path.', { signature: 'refused x' }), terms)
  const again = withLesson(first.lessons, draft('Two.', { signature: 'refused x', paths: ['b.ts'] }), terms)
  expect(again.lessons).toEqual([{ ...first.lesson, text: 'Two.', paths: ['b.ts'], seen: 2 }])
})

test('lessons that waited are counted on, keep the words of a person, and wait no longer once they are there', () => {
  const edited = lesson('Round half up, says the bank.', { id: 'aaaaaa', seen: 3 })
  const waiting = [
    lesson('Round half up.', { id: 'aaaaaa', seen: 2, at: '2026-02-01' }),
    lesson('amounts are CENTS', { id: 'bbbbbb' }),
    lesson('New.', { id: 'cccccc' }),
  ]
  const list = withWaiting([edited, lesson('Amounts are cents.', { id: 'dddddd' })], waiting)
  expect(list.map(it => [it.id, it.text, it.seen, it.at]).sort()).toEqual([
    ['aaaaaa', 'Round half up, says the bank.', 5, '2026-02-01'],
    ['cccccc', 'New.', 1, '2026-01-31'],
    ['dddddd', 'Amounts are cents.', 2, '2026-01-31'],
  ])
  const arrived = [
    { id: 'aaaaaa', seen: 1 },
    { id: 'cccccc', seen: 1 },
  ]
  expect(stillWaiting(waiting, arrived).map(it => [it.id, it.seen])).toEqual([
    ['aaaaaa', 1],
    ['bbbbbb', 1],
  ])
})

test('merging lists gives one order, whichever comes first, and changes nothing when it is done again', () => {
  fc.assert(
    fc.property(anyList, anyList, (one, two) => {
      const merged = mergeLessons(one, two)
      expect(mergeLessons(two, one)).toEqual(merged)
      expect(mergeLessons(merged, merged)).toEqual(merged)
      expect(mergeLessons(merged, one)).toEqual(merged)
      expect(new Set(merged.map(it => it.id)).size).toBe(merged.length)
    }),
  )
})

test('within its limits a list stays the same', () => {
  fc.assert(
    fc.property(anyList, fc.integer({ min: 1, max: 5 }), (list, items) => {
      const kept = boundLessons(list, { items, bytes: 1_000 })
      expect(boundLessons(kept, { items, bytes: 1_000 })).toEqual(kept)
      expect(kept.length).toBeLessThanOrEqual(items)
      expect(sizeOf(kept)).toBeLessThanOrEqual(1_000)
    }),
  )
})

test('a lesson is over when all its files are gone', () => {
  const all = [
    lesson('everybody'),
    lesson('one left', { paths: ['src/gone.ts', 'src/here.ts'] }),
    lesson('none left', { paths: ['src/gone.ts'] }),
  ]
  expect(lessonsInUse(all, it => it === 'src/here.ts').map(it => it.text)).toEqual(['everybody', 'one left'])
  const marked = markAhead(all, [], it => it === 'src/here.ts')
  expect(marked.map(it => it.isAhead)).toEqual([false, false, true])
  expect(lessonsInUse(marked, () => false).map(it => it.text)).toEqual(['everybody', 'none left'])
  expect(lessonsInUse(marked, it => it === 'src/gone.ts').map(it => it.isAhead)).toEqual([false, false, false])
  expect(markAhead(all, all, () => false)).toEqual(all)
})
