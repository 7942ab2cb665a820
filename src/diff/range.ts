import type { GitQuery } from './query.ts'

/** The commit that a revision names, or null; git also fails when there is none. */
export function commitNamed(revision: string): GitQuery<string | null> {
  return { args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], parse: named }
}

/** The best commit that two of them have in common, or null. */
export function mergeBase(one: string, other: string): GitQuery<string | null> {
  return { args: ['merge-base', one, other], parse: named }
}

/** True when there is any reference below a prefix such as `refs/remotes`. */
export function hasReferences(prefix: string): GitQuery<boolean> {
  return { args: ['for-each-ref', '--count=1', '--format=%(refname)', prefix], parse: out => out !== '' }
}

/** True when the second commit has all that the first one has. */
export function isContained(old: string, anew: string): GitQuery<boolean> {
  return { args: ['rev-list', '--max-count=1', old, '--not', anew, '--'], parse: out => out === '' }
}

/** A commit, and its parents. */
export function withParents(revision: string): GitQuery<string[]> {
  return { args: ['rev-list', '--max-count=1', '--parents', revision, '--'], parse: out => out.trim().split(' ') }
}

function named(out: string): string | null {
  return out.trim() || null
}
