import { TRAILERS_BY_COLON } from './log.ts'
import type { GitQuery } from './query.ts'
import { type Change, parseRaw } from './staged.ts'

/** A commit and what its trailers say. */
export type Commit = {
  readonly oid: string
  /** Null for a root commit. */
  readonly parent: string | null
  readonly cited: readonly string[]
  /** What `Governance:` says, or null when it is not there. */
  readonly governance: string | null
}

const FIELDS = ['%H', '%P', 'Intent-ID', 'Governance'].map(it =>
  it.startsWith('%') ? it : `%(trailers:key=${it},valueonly,unfold,separator=%x1d)`,
)

/** The commits of a range but merges, oldest first, along first parents; at most `countMax`, the newest. */
export function commitsIn(range: string, countMax: number): GitQuery<Commit[]> {
  const flags = ['--first-parent', '--no-merges', '--no-show-signature', '--reverse', `--max-count=${countMax}`]
  return {
    args: [...TRAILERS_BY_COLON, 'log', ...flags, `--format=${FIELDS.join('%x1f')}%x1e`, range, '--'],
    parse: parseCommits,
  }
}

function parseCommits(stdout: string): Commit[] {
  return stdout
    .split('\x1e')
    .map(it => it.trimStart().split('\x1f'))
    .flatMap(([oid, parents, intents, governance]) => {
      if (!oid || parents === undefined) return []
      const [parent = ''] = parents.split(' ')
      const cited = intents?.split('\x1d').filter(it => it !== '') ?? []
      return [{ oid, parent: parent || null, cited, governance: governance || null }]
    })
}

/** What a commit changes in its first parent; a root commit, in nothing. */
export function changesOf(commit: string): GitQuery<Change[]> {
  const flags = ['-r', '-z', '--root', '--no-renames', '--no-commit-id', '--ignore-submodules=none']
  return { args: ['diff-tree', ...flags, commit], parse: parseRaw }
}
