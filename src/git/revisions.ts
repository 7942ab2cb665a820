import type { GitQuery } from './query.ts'

/** The commit that a revision names, or null; git also fails when there is none. */
export function resolveCommit(revision: string): GitQuery<string | null> {
  return { args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], parse: oidOrNone }
}

/** The best commit that two of them have in common, or null. */
export function mergeBase(one: string, other: string): GitQuery<string | null> {
  return { args: ['merge-base', one, other], parse: oidOrNone }
}

/** True when there is any reference below a prefix such as `refs/remotes`. */
export function hasReferences(prefix: string): GitQuery<boolean> {
  return { args: ['for-each-ref', '--count=1', '--format=%(refname)', prefix], parse: out => out !== '' }
}

/** True when the second commit has all that the first one has. */
export function isAncestor(older: string, newer: string): GitQuery<boolean> {
  return { args: ['rev-list', '--max-count=1', older, '--not', newer, '--'], parse: out => out === '' }
}

/** A commit, and its parents. */
export function commitAndParents(revision: string): GitQuery<string[]> {
  return { args: ['rev-list', '--max-count=1', '--parents', revision, '--'], parse: out => out.trim().split(' ') }
}

function oidOrNone(out: string): string | null {
  return out.trim() || null
}
