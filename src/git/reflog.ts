import type { GitQuery } from './query.ts'

/** The newest commits that HEAD came to by being made here, newest first: what post-commit told of. */
export function commitsMadeHere(countMax: number): GitQuery<string[]> {
  // Others, such as checkouts, stand between them.
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
