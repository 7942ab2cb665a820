import type { GitQuery } from './query.ts'

/** What gitignore ignores and git does not track. A path with `/` at its end is a directory in which all is ignored. */
export const ignoredPaths: GitQuery<string[]> = {
  args: ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', '--full-name'],
  parse: stdout => stdout.split('\0').slice(0, -1),
}
