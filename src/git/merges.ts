import type { GitQuery } from './query.ts'
import { type PathChange, parseRawChange } from './changes.ts'

/** What git makes of two sides by itself: a tree, and the paths at which it would ask for help. */
export type AutoMerge = { readonly tree: string; readonly conflicted: readonly string[] }

/** The same of a merge that is made: where it is another than git's own; null when nobody can tell. */
export type AutoMergeComparison = { readonly conflicted: readonly string[]; readonly edited: readonly string[] | null }

/** Fails before git 2.38. It puts what it makes among git's objects, and touches nothing else. */
export function autoMerge(ours: string, theirs: string): GitQuery<AutoMerge> {
  const flags = ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories']
  return { args: ['merge-tree', ...flags, ours, theirs], parse: parseAutoMerge }
}

function parseAutoMerge(out: string): AutoMerge {
  const [tree = '', ...conflicted] = out.split('\0').slice(0, -1)
  return { tree, conflicted }
}

/** The paths that differ between two trees. */
export function changedPaths(tree: string, other: string): GitQuery<string[]> {
  const flags = ['-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none']
  return { args: ['diff-tree', ...flags, tree, other], parse: out => out.split('\0').slice(0, -1) }
}

/**
 * What git is asked to say of merges of two sides, whose names it reads from its input: where each is another than what
 * git makes of them by itself. It fails before git 2.35.
 */
export const REMERGE_DIFF: readonly string[] = [
  ...['-c', 'log.showSignature=false', 'log', '--stdin', '--no-walk=unsorted', '--remerge-diff', '--raw', '-z'],
  ...['--no-abbrev', '--no-renames', '--ignore-submodules=none', '--format=%H'],
]

/** Reads what git names for each of these merges: as changes of the tree that git would have made. */
export function parseRemergeDiff(out: string): Map<string, PathChange[]> {
  const tokens = out.split('\0').map(it => it.replace(/^\n/, ''))
  const found = new Map<string, PathChange[]>()
  let changes: PathChange[] = []
  for (let n = 0; n < tokens.length; n++) {
    const token = tokens[n] ?? ''
    if (token.startsWith(':')) changes.push(parseRawChange(token, tokens[++n] ?? ''))
    else if (token !== '') found.set(token, (changes = []))
  }
  return found
}

/** What a merge brings besides both sides, and where of that git asked for help. */
export type MergeAdditions = { readonly changes: readonly PathChange[]; readonly conflicted: readonly string[] }

/**
 * Of what differs from every parent, what git would not have made by itself: `edited` are the paths that differ from
 * its own tree.
 */
export function mergeAdditions(
  changes: readonly PathChange[],
  { conflicted, edited }: AutoMergeComparison,
): MergeAdditions {
  if (!edited) return { changes, conflicted }
  const paths = new Set(edited)
  return { changes: changes.filter(it => paths.has(it.path)), conflicted }
}
