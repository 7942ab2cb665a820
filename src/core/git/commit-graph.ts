import type { GitQuery } from './query.ts'

/** The commits that are reachable from some starts and not from some ends, and the parents of all of them. */
export type CommitRange = { readonly commits: ReadonlySet<string>; readonly parents: ReadonlySet<string> }

/** Asks for a commit range; ignores starts and ends that no longer exist. */
export function commitRange(starts: readonly string[], ends: readonly string[]): GitQuery<CommitRange> {
  return {
    args: ['rev-list', '--ignore-missing', '--parents', ...starts, '--not', ...ends, '--'],
    parse: out => {
      const lines = out.split('\n').slice(0, -1)
      const commits = lines.map(it => it.split(' '))
      return { commits: new Set(commits.map(([it = '']) => it)), parents: new Set(commits.flatMap(it => it.slice(1))) }
    },
  }
}

/** The tips of the local branches with the newest commits. */
export function branchTips(countMax: number): GitQuery<string[]> {
  const flags = ['--sort=-committerdate', `--count=${countMax}`, '--format=%(objectname)']
  return { args: ['for-each-ref', ...flags, 'refs/heads'], parse: out => out.split('\n').slice(0, -1) }
}

/** True when a local or remote-tracking branch, or a tag, contains a commit. */
export function isOnBranch(commit: string): GitQuery<boolean> {
  const args = [
    'for-each-ref',
    '--count=1',
    `--contains=${commit}`,
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]
  return { args, parse: out => out !== '' }
}

/** The number of commits that a list of revisions selects. */
export function countCommits(revisions: readonly string[]): GitQuery<number> {
  return { args: ['rev-list', '--count', ...revisions, '--'], parse: Number }
}

/** How many files the commits change that a list of revisions selects, counted once for each commit. */
export function countFiles(revisions: readonly string[]): GitQuery<number> {
  return {
    args: ['log', '--name-only', '--format=', ...revisions, '--'],
    parse: out => out.split('\n').length - 1,
  }
}
