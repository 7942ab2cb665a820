import { createTwoFilesPatch } from 'diff'

/** The difference of two texts of a file as a patch for people to read; empty without a difference. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const [from, to] = [before === '' ? '/dev/null' : `a/${path}`, `b/${path}`]
  // The first line is a separator (`====`).
  return createTwoFilesPatch(from, to, before, after, '', '', { context: 3 }).split('\n').slice(1).join('\n')
}
