import type { GitQuery } from './query.ts'

/** Those of some paths that git tracks. */
export function trackedAmong(paths: readonly string[]): GitQuery<string[]> {
  return {
    args: ['--literal-pathspecs', 'ls-files', '-z', '--', ...paths],
    parse: out => out.split('\0').filter(it => it !== ''),
  }
}
