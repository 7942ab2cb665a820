import { createTwoFilesPatch } from 'diff'

/** Two texts of a file as a patch for people to read; empty when nothing differs. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const [from, to] = [before === '' ? '/dev/null' : `a/${path}`, `b/${path}`]
  // The first line is a ruler.
  return createTwoFilesPatch(from, to, before, after, '', '', { context: 3 }).split('\n').slice(1).join('\n')
}
