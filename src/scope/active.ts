import type { Pathspecs } from './pathspecs.ts'

/** The file that the hooks' fast path reads: for which worktree and intent, and what it may touch, as git pathspecs. */
export type Active = { readonly root: string; readonly intent: string; readonly pathspecs: Pathspecs }

/**
 * The compiled scope of the one live intent, as the hooks' shell reads it: a format version, the worktree, the id, what
 * is inside, what bounds it, and a last line that shows that nothing is missing. Null for a worktree whose path takes
 * more than a line.
 */
export function activeText({ root, intent, pathspecs: { inside, bounds } }: Active): string | null {
  if (/[\r\n\\]/.test(root)) return null
  const excluded = inside.map(it => it.replace(':(', ':(exclude,'))
  return [FORMAT, root, intent, ...excluded, '--', ...bounds, 'end', ''].join('\n')
}

/** What a compiled scope that was found is worth to this worktree: why it can't be used, or null when it can. */
export function flawOf(text: string, root: string): string | null {
  const [format = '', madeFor = ''] = text.split('\n')
  if (format !== FORMAT)
    return format.startsWith('kotef-active ') ? 'is of another version of kotef' : 'is not as kotef writes it'
  if (!text.endsWith('\nend\n')) return 'is cut off'
  return madeFor === root ? null : 'was made for another worktree'
}

const FORMAT = 'kotef-active 2'
