import type { GitQuery } from './query.ts'

/** Every path in the index. */
export const trackedPaths: GitQuery<string[]> = {
  args: ['ls-files', '-z'],
  parse: out => [...new Set(out.split('\0').slice(0, -1))],
}

/** The tracked paths among some that a sparse checkout leaves out of the worktree. */
export function skipWorktreePaths(paths: readonly string[]): GitQuery<Set<string>> {
  return {
    args: ['ls-files', '-t', '-z', '--', ...paths],
    parse: out => new Set(out.split('\0').flatMap(it => (it.startsWith('S ') ? [it.slice(2)] : []))),
  }
}
