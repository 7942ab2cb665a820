import type { GitQuery } from './query.ts'

/** One worktree of a clone, as git lists it. */
export type ListedWorktree = {
  readonly path: string
  readonly isBare: boolean
  /** Why `git worktree prune` would remove it; null when it would not. */
  readonly prunable: string | null
}

/** All worktrees of the clone, the main worktree first. */
export const worktreeList: GitQuery<ListedWorktree[]> = {
  args: ['worktree', 'list', '--porcelain', '-z'],
  parse: out => out.split('\0\0').flatMap(it => parseWorktree(it)),
}

function parseWorktree(record: string): ListedWorktree[] {
  const lines = record.split('\0')
  const path = lines.find(it => it.startsWith('worktree '))?.slice('worktree '.length)
  if (path === undefined) return []
  const prunable = lines.find(it => /^prunable(?: |$)/.test(it))
  return [{ path, isBare: lines.includes('bare'), prunable: prunable?.slice('prunable '.length) ?? null }]
}

/** The top of the worktree, its own git directory, and the git directory that all worktrees of the clone share. */
export const repositoryPaths: GitQuery<string[]> = {
  args: ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'],
  parse: out => out.split('\n').slice(0, -1),
}
