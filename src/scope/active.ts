import type { Pathspecs } from './pathspecs.ts'

/**
 * The compiled scope of the one live intent, as the hooks' shell reads it: a format version, the id, what is inside,
 * what bounds it, and a last line that shows that nothing is missing.
 */
export function activeText(intent: string, { inside, bounds }: Pathspecs): string {
  const excluded = inside.map(it => it.replace(':(', ':(exclude,'))
  return ['kotef-active 1', intent, ...excluded, '--', ...bounds, 'end', ''].join('\n')
}
