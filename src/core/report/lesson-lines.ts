import type { Lesson } from '../lessons/lesson.ts'
import { byUse } from '../lessons/lesson-list.ts'
import { escapeForTerminal, plural, printable } from '../base/printable.ts'

/** Lessons for a person, the most useful first: two lines each. */
export function lessonLines(lessons: readonly Lesson[]): string[] {
  return byUse(lessons).flatMap(it => [`${it.id}  ${escapeForTerminal(it.text)}`, `  ${lessonAbout(it)}`])
}

function lessonAbout({ seen, at, by, intent, paths }: Lesson): string {
  const origin = [plural(seen, 'time'), `last on ${at === '' ? 'an unknown day' : at}`, `by ${printable(by)}`]
  const more = [
    ...(intent === null ? [] : [`for ${intent}`]),
    ...(paths.length === 0 ? [] : [paths.map(printable).join(' ')]),
  ]
  return [...origin, ...more].join(', ')
}
