import type { GitQuery } from './query.ts'

/** Every path in the index. */
export const trackedPaths: GitQuery<string[]> = {
  args: ['ls-files', '-z'],
  parse: out => [...new Set(out.split('\0').slice(0, -1))],
}
