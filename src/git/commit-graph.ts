import type { GitQuery } from './query.ts'

/** A stretch of history: the commits that some starts reach and some ends don't, and their parents in and below it. */
export type CommitRange = { readonly commits: ReadonlySet<string>; readonly parents: ReadonlySet<string> }

/** Asks for a stretch of history; ends that are not there any more are passed over. */
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

/** The commits that the newest local branches stand at. */
export function branchTips(countMax: number): GitQuery<string[]> {
  const flags = ['--sort=-committerdate', `--count=${countMax}`, '--format=%(objectname)']
  return { args: ['for-each-ref', ...flags, 'refs/heads'], parse: out => out.split('\n').slice(0, -1) }
}

/** True when a branch, local or of a remote, or a tag has a commit. */
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

/** How many commits a list of revisions selects. */
export function countCommits(revisions: readonly string[]): GitQuery<number> {
  return { args: ['rev-list', '--count', ...revisions, '--'], parse: Number }
}
