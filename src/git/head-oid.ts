import type { GitQuery } from './query.ts'

/** The commit that HEAD names; git fails while it is unborn. */
export const headOid: GitQuery<string> = {
  args: ['rev-parse', '--verify', 'HEAD'],
  parse: out => out.trim(),
}
