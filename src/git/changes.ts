import type { GitQuery } from './query.ts'

/** One path that a commit changes. Both ends of a rename are changes of their own. */
export type PathChange = {
  readonly path: string
  /** What stood there and what will: git mode and blob oid, null where there is nothing. */
  readonly before: { readonly mode: string; readonly oid: string } | null
  readonly after: { readonly mode: string; readonly oid: string } | null
}

/** What the index changes in a tree: submodules whatever is configured, but not what is only meant to be added. */
export function stagedChanges(tree: string): GitQuery<PathChange[]> {
  const flags = ['--cached', '-z', '--no-renames', '--ignore-submodules=none', '--ita-invisible-in-index']
  return { args: ['diff-index', ...flags, tree], parse: parseRawChanges }
}

/** The tree without anything in it, which an unborn branch stands at. */
export const emptyTree: GitQuery<string> = {
  args: ['hash-object', '-t', 'tree', '/dev/null'],
  parse: out => out.trim(),
}

/** Reads `-z --raw` as diff-index and diff-tree print it. */
export function parseRawChanges(out: string): PathChange[] {
  const fields = out.split('\0')
  const changes: PathChange[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) changes.push(parseRawChange(fields[n] ?? '', fields[n + 1] ?? ''))
  return changes
}

/** Reads one line of `--raw`. Of a merge it has a colon, a mode and an oid for each parent; the first one counts. */
export function parseRawChange(line: string, path: string): PathChange {
  const parents = /^:*/.exec(line)?.[0].length ?? 1
  const words = line.slice(parents).split(' ')
  return {
    path,
    before: treeEntry(words[0], words[parents + 1]),
    after: treeEntry(words[parents], words[2 * parents + 1]),
  }
}

function treeEntry(mode = '', oid = ''): PathChange['before'] {
  return mode === '000000' ? null : { mode, oid }
}
