import type { GitQuery } from './query.ts'

/** The paths that commits of a range changed, each once; of a merge, those that it changed itself. */
export function pathsTouchedIn(range: readonly string[]): GitQuery<Set<string>> {
  return {
    args: ['log', '-z', '--format=', '--name-only', '--no-renames', '-c', '--ignore-missing', ...range, '--'],
    parse: out => new Set(out.split('\0').filter(it => it !== '')),
  }
}

/** The renames in commits of a range, newest first; of a merge, against each parent. As blame, git may see others. */
export function renamesIn(range: readonly string[]): GitQuery<[from: string, to: string][]> {
  const flags = ['-z', '--format=', '--name-status', '--find-renames', '--diff-filter=R', '-m']
  return {
    args: ['log', ...flags, ...range, '--'],
    parse(out) {
      const fields = out.split('\0').map(it => it.replace(/^\n/, ''))
      return fields.flatMap((it, n) => (/^R\d+$/.test(it) ? [[fields[n + 1] ?? '', fields[n + 2] ?? '']] : []))
    },
  }
}

/** The paths of the files that a commit has: submodules, which have no lines, are left out. */
export function filePaths(commit: string): GitQuery<string[]> {
  return {
    args: ['ls-tree', '-r', '-z', '--full-tree', commit],
    parse: out => out.split('\0').flatMap(it => /^\d+ blob [0-9a-f]+\t(.+)$/s.exec(it)?.[1] ?? []),
  }
}
