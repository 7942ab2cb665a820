import { namesScope } from '../scope/names-scope.ts'

/** The items of a list of lessons, newest first, but for those that name paths of which a scope has none. */
export function lessonsIn(text: string, scope: readonly string[]): string[] {
  const items = text.split(/\r?\n/).flatMap(it => /^\s*[-*+]\s+(.+)$/.exec(it)?.[1] ?? [])
  const isNamed = namesScope(scope)
  const concerns = (lesson: string): boolean => {
    const paths = pathsNamedIn(lesson)
    return paths.length === 0 || paths.some(isNamed)
  }
  // The newest stand last, and matter most.
  return items.filter(concerns).reverse()
}

// In Markdown, what stands in backticks and looks like a file, a folder or a glob; a package or a branch is none.
function pathsNamedIn(lesson: string): string[] {
  const words = [...lesson.matchAll(/`([^`\s]{1,200})`/g)].map(([, word = '']) => word.replace(/(?::\d+|#L\d+)$/, ''))
  return words.filter(it => /^[\w.*][^:@]*$/.test(it) && it.includes('/') && /(?:\.\w+|\/|\*)$/.test(it))
}
