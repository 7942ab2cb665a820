import type { GitQuery } from './query.ts'

/** The files that git neither tracks nor ignores. */
export const untrackedFiles: GitQuery<string[]> = {
  args: ['ls-files', '--others', '--exclude-standard', '-z', ':/'],
  parse: out => pathsIn(out).filter(path => !path.endsWith('/')),
}

/** The paths that the index has, and HEAD does not have or has with another content. */
export const stagedFiles: GitQuery<string[]> = {
  args: ['diff', '--cached', '--name-only', '--no-renames', '--diff-filter=d', '--ignore-submodules=all', '-z'],
  parse: pathsIn,
}

function pathsIn(out: string): string[] {
  return out.split('\0').slice(0, -1)
}
