import type { GitQuery } from './query.ts'

/** The files of a worktree, and those among them that git could not merge. */
export type PresentFiles = { readonly paths: readonly string[]; readonly unmerged: ReadonlySet<string> }

/**
 * The files at or below some paths that are on the disk, tracked or not, without those that git ignores. A file that a
 * sparse checkout leaves out counts as present.
 */
export function presentFiles(below: readonly string[]): GitQuery<PresentFiles> {
  const lists = ['--cached', '--deleted', '--others', '--exclude-standard']
  const paths = below.map(it => `:(top,literal)${it}`)
  return { args: ['ls-files', '-t', ...lists, '--full-name', '-z', '--', ...paths], parse: parseTagged }
}

// A file that is gone is listed twice: in the index (H), and as removed (R).
function parseTagged(out: string): PresentFiles {
  const entries = out.split('\0').map(it => ({ tag: it.slice(0, 1), path: it.slice(2) }))
  const pathsOf = (tag: string) => new Set(entries.filter(it => it.tag === tag).map(it => it.path))
  const removed = pathsOf('R')
  const present = new Set(entries.filter(it => it.path !== '' && !removed.has(it.path)).map(it => it.path))
  return { paths: [...present], unmerged: pathsOf('M') }
}
