import type { GitQuery } from './query.ts'

/** What gitignore ignores and git does not track: directories end with `/` and stand for all that is in them. */
export const ignoredPaths: GitQuery<ReadonlySet<string>> = {
  args: ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', '--full-name'],
  parse: stdout =>
    new Set(
      stdout
        .split('\0')
        .filter(it => it !== '')
        .map(it => it.replace(/\/$/, '')),
    ),
}
