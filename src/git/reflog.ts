import type { GitQuery } from './query.ts'

/** The newest commits that were made in this worktree, newest first: those for which git ran the post-commit hook. */
export function commitsMadeHere(countMax: number): GitQuery<string[]> {
  // The reflog has other moves, such as checkouts, between them.
  const count = `--max-count=${countMax * 4 + 50}`
  return {
    args: ['log', '--walk-reflogs', '-z', '--no-show-signature', '--format=%H%x00%gs', count, 'HEAD', '--'],
    parse: out => parseMadeCommits(out.split('\0')).slice(0, countMax),
  }
}

function parseMadeCommits(fields: readonly string[]): string[] {
  return fields.filter((_, n) => n % 2 === 0 && MADE_HERE.test(fields[n + 1] ?? ''))
}

const MADE_HERE = /^(commit|cherry-pick|revert)\b|rebase.*\((pick|reword|edit|squash|fixup|continue|merge)\)/
