import type { GitQuery } from './query.ts'

/** The top of the worktree, its own git directory, and the git directory that all worktrees of the clone share. */
export const repositoryPaths: GitQuery<string[]> = {
  args: ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'],
  parse: out => out.split('\n').slice(0, -1),
}
