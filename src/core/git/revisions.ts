import type { GitQuery } from './query.ts'

/** The commit that a revision names, or null; git may also fail when there is none. */
export function resolveCommit(revision: string): GitQuery<string | null> {
  return { args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], parse: oidOrNone }
}

/** The best common ancestor of two commits, or null. */
export function mergeBase(one: string, other: string): GitQuery<string | null> {
  return { args: ['merge-base', one, other], parse: oidOrNone }
}

/** True when any ref exists below a prefix such as `refs/remotes`. */
export function hasReferences(prefix: string): GitQuery<boolean> {
  return { args: ['for-each-ref', '--count=1', '--format=%(refname)', prefix], parse: out => out !== '' }
}

/**
 * True when the older commit, given by its oid, is an ancestor of the newer one, or the same. `rev-list A --not B`
 * would not do: where a child has an older date than its parent, it lists commits that B has.
 */
export function isAncestor(older: string, newer: string): GitQuery<boolean> {
  return { args: ['merge-base', older, newer], parse: out => out.trim() === older }
}

/** A commit, then its parents. */
export function commitAndParents(revision: string): GitQuery<string[]> {
  return { args: ['rev-list', '--max-count=1', '--parents', revision, '--'], parse: out => out.trim().split(' ') }
}

function oidOrNone(out: string): string | null {
  return out.trim() || null
}

/** The commit that HEAD names; git fails while it is unborn. */
export const headOid: GitQuery<string> = {
  args: ['rev-parse', '--verify', 'HEAD'],
  parse: out => out.trim(),
}
