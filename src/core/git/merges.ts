import type { GitQuery } from './query.ts'
import { parseRawChange, type PathChange } from './changes.ts'

/** Git's own merge of two commits: the tree, and the paths in conflict. */
export type PredictedMerge = { readonly tree: string; readonly conflicted: readonly string[] }

/** A merge commit compared with git's own merge: the paths in conflict, and those that differ; null when unknown. */
export type AutoMergeComparison = { readonly conflicted: readonly string[]; readonly edited: readonly string[] | null }

/** Merges two commits without a worktree. Needs git 2.38; writes objects and nothing else. */
export function autoMerge(ours: string, theirs: string): GitQuery<PredictedMerge> {
  const flags = ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories']
  return { args: ['merge-tree', ...flags, ours, theirs], parse: parsePredictedMerge }
}

/** Makes a commit with the tree of one commit, on top of another one: no reference leads to it. */
export function commitOfTree(commit: string, parent: string): GitQuery<string> {
  const author = ['-c', 'user.name=kotef', '-c', 'user.email=kotef@localhost', '-c', 'commit.gpgSign=false']
  const args = [...author, 'commit-tree', `${commit}^{tree}`, '-p', parent, '-m', 'a side of a merge']
  return { args, parse: out => out.trim() }
}

function parsePredictedMerge(out: string): PredictedMerge {
  const [tree = '', ...conflicted] = out.split('\0').slice(0, -1)
  return { tree, conflicted }
}

/** The paths that differ between two trees. */
export function changedPaths(tree: string, other: string): GitQuery<string[]> {
  const flags = ['-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none']
  return { args: ['diff-tree', ...flags, tree, other], parse: out => out.split('\0').slice(0, -1) }
}

/**
 * The arguments with which git compares merges of two parents, whose names it reads from its input, with its own merge
 * of the same parents. Needs git 2.35.
 */
export const REMERGE_DIFF: readonly string[] = [
  ...['log', '--stdin', '--no-walk=unsorted', '--remerge-diff', '--raw', '-z'],
  ...['--no-abbrev', '--no-renames', '--ignore-submodules=none', '--format=%H'],
]

/** Parses that output: for each merge commit its changes against git's own merge. */
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

/** The changes that a merge adds to both parents, and those of their paths that were in conflict. */
export type MergeAdditions = { readonly changes: readonly PathChange[]; readonly conflicted: readonly string[] }

/**
 * Selects, from the changes against every parent, those that git's own merge does not have: `edited` are the paths that
 * differ from git's own merge.
 */
export function mergeAdditions(
  changes: readonly PathChange[],
  { conflicted, edited }: AutoMergeComparison,
): MergeAdditions {
  if (!edited) return { changes, conflicted }
  const paths = new Set(edited)
  return { changes: changes.filter(it => paths.has(it.path)), conflicted }
}

/** The changes that a merge adds to its parents, and those where it equals one parent though git's merge does not. */
export type MergeEdits = MergeAdditions & { readonly oneSided: readonly PathChange[] }
