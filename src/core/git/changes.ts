import type { GitQuery } from './query.ts'

/** A path that a commit changes. A rename is two changes, one for each path. */
export type PathChange = {
  readonly path: string
  /** Git mode and blob oid before and after the change; null where there is no file. */
  readonly before: { readonly mode: string; readonly oid: string } | null
  readonly after: { readonly mode: string; readonly oid: string } | null
}

/** The changes of the index against a tree, with submodules whatever the config says, without intent-to-add entries. */
export function stagedChanges(tree: string): GitQuery<PathChange[]> {
  const flags = ['--cached', '-z', '--no-renames', '--ignore-submodules=none', '--ita-invisible-in-index']
  return { args: ['diff-index', ...flags, tree], parse: parseRawChanges }
}

/** The changes between two trees, with submodules whatever the config says. */
export function treeChanges(from: string, to: string): GitQuery<PathChange[]> {
  return {
    args: ['diff-tree', '-r', '-z', '--no-renames', '--ignore-submodules=none', from, to],
    parse: parseRawChanges,
  }
}

/** The paths that the index has, and HEAD does not have or has with another content; all on an unborn branch. */
export const pathsChangedInIndex: GitQuery<string[]> = {
  args: ['diff', '--cached', '--name-only', '--no-renames', '--diff-filter=d', '--ignore-submodules=all', '-z'],
  parse: out => out.split('\0').slice(0, -1),
}

const LINE_COUNTS = ['--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv']

/** The lines that are added and removed in some paths by the index since a commit. */
export function changedLines(paths: readonly string[], since: string): GitQuery<ReadonlyMap<string, number>> {
  return {
    args: ['--literal-pathspecs', 'diff-index', '--cached', ...LINE_COUNTS, since, '--', ...paths],
    parse: out => parseChangedLines(out).get('') ?? new Map<string, number>(),
  }
}

/** The arguments for the same of commits, against their first parents. Git reads their names on stdin. */
export const changedLinesByCommit = ['diff-tree', '--stdin', '-r', '--root', '-m', '--first-parent', ...LINE_COUNTS]

/** The lines of each path, by commit; those of the index have no name. Git counts none of a binary file. */
export function parseChangedLines(out: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  let counts = new Map<string, number>()
  found.set('', counts)
  for (const record of out.split('\0')) {
    const [, added = '', removed = '', path] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(record) ?? []
    if (path !== undefined) counts.set(path, (Number(added) || 0) + (Number(removed) || 0))
    else if (record !== '') found.set(record, (counts = new Map()))
  }
  return found
}

/** The oid of the empty tree, with which the changes on an unborn branch are compared. */
export const emptyTree: GitQuery<string> = {
  args: ['hash-object', '-t', 'tree', '/dev/null'],
  parse: out => out.trim(),
}

/** Parses the `-z --raw` output of diff-index and diff-tree. */
function parseRawChanges(out: string): PathChange[] {
  const fields = out.split('\0')
  const changes: PathChange[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) changes.push(parseRawChange(fields[n] ?? '', fields[n + 1] ?? ''))
  return changes
}

/** Parses one line of `--raw`. For a merge it has a colon, a mode and an oid for each parent; the first one counts. */
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

/** The paths in which two trees differ, with mode and blob of both. */
export function changesBetweenTrees(from: string, to: string): GitQuery<PathChange[]> {
  return { args: ['diff-tree', '-r', '-z', '--no-renames', from, to], parse: parseRawChanges }
}
