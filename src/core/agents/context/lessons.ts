import type { Lesson } from '../../lessons/lesson.ts'
import { byUse } from '../../lessons/lesson-list.ts'
import { namesScope } from '../../intents/scope/names-scope.ts'

/** The texts of recorded lessons, the most useful first; without those that are only about paths outside a scope. */
export function lessonsFor(lessons: readonly Lesson[], scope: readonly string[]): string[] {
  const isNamed = namesScope(scope)
  const concerns = ({ text, paths }: Lesson): boolean => {
    const named = paths.length > 0 ? paths : pathsNamedIn(text)
    return named.length === 0 || named.some(isNamed)
  }
  return byUse(lessons)
    .filter(concerns)
    .map(it => it.text)
}

/** The items of a Markdown list of lessons, newest first; without those that only name paths outside a scope. */
export function lessonsIn(text: string, scope: readonly string[]): string[] {
  const items = text.split(/\r?\n/).flatMap(it => /^\s*[-*+]\s+(.+)$/.exec(it)?.[1] ?? [])
  const isNamed = namesScope(scope)
  const concerns = (lesson: string): boolean => {
    const paths = pathsNamedIn(lesson)
    return paths.length === 0 || paths.some(isNamed)
  }
  // New lessons are appended, and matter most.
  return items.filter(concerns).reverse()
}

// A code span that looks like a file, a folder or a glob; the name of a package or a branch does not.
function pathsNamedIn(lesson: string): string[] {
  const words = [...lesson.matchAll(/`([^`\s]{1,200})`/g)].map(([, word = '']) => word.replace(/(?::\d+|#L\d+)$/, ''))
  return words.filter(it => /^[\w.*][^:@]*$/.test(it) && it.includes('/') && /(?:\.\w+|\/|\*)$/.test(it))
}
