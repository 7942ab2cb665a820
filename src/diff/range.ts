import type { GitQuery } from './query.ts'

/** The commit that a revision names; git fails when there is none. */
export function commitNamed(revision: string): GitQuery<string> {
  return { args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], parse: trimmed }
}

/** The best commit that two of them have in common; empty when there is none. */
export function mergeBase(one: string, other: string): GitQuery<string> {
  return { args: ['merge-base', one, other], parse: trimmed }
}

/** True when there is any reference below a prefix such as `refs/remotes`. */
export function hasReferences(prefix: string): GitQuery<boolean> {
  return { args: ['for-each-ref', '--count=1', '--format=%(refname)', prefix], parse: out => out !== '' }
}

/** True when the second commit has all that the first one has. */
export function isContained(old: string, anew: string): GitQuery<boolean> {
  return { args: ['rev-list', '--max-count=1', old, '--not', anew, '--'], parse: out => out === '' }
}

function trimmed(out: string): string {
  return out.trim()
}
