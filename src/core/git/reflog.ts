import type { GitQuery } from './query.ts'

/** The newest commits that were made in this worktree, newest first: those for which git ran the post-commit hook. */
export function commitsMadeHere(countMax: number): GitQuery<string[]> {
  // The reflog has other moves, such as checkouts, between them.
  const count = `--max-count=${countMax * 4 + 50}`
  return {
    args: ['log', '--walk-reflogs', '-z', '--format=%H%x00%gs', count, 'HEAD', '--'],
    parse: out => parseMadeCommits(out.split('\0')).slice(0, countMax),
  }
}

/** Of some commits that were made in this worktree lately, those whose content git took from the index as it was. */
export function commitsOfIndex(made: readonly string[]): GitQuery<string[]> {
  const { args } = commitsMadeHere(made.length)
  return { args, parse: out => parseMadeCommits(out.split('\0'), OF_INDEX).filter(it => made.includes(it)) }
}

function parseMadeCommits(fields: readonly string[], wanted = MADE_HERE): string[] {
  return fields.filter((_, n) => n % 2 === 0 && wanted.test(fields[n + 1] ?? ''))
}

// Not one that ends a merge or a cherry-pick: git made a part of it.
const OF_INDEX = /^commit(?: \((?:initial|amend)\))?: /

const MADE_HERE = /^(commit|cherry-pick|revert)\b|rebase.*\((pick|reword|edit|squash|fixup|continue|merge)\)/

/**
 * A move of HEAD, and whether git or a person made the new content: a plain commit contains what a person staged. A
 * reset may have left the worktree unchanged.
 */
export type HeadMove = {
  readonly by: 'git' | 'commit' | 'either' | 'reset'
  readonly from: string
  readonly to: string
  /** The number of bytes in the reflog after this move. */
  readonly bytesAfter: number
}

/** Parses lines of HEAD's reflog (latin1); the newest move is first. */
export function headMoves(log: string): HeadMove[] {
  const moves: HeadMove[] = []
  for (const { 0: line, 1: from, 2: to, 3: what, index } of log.matchAll(REFLOG_LINE))
    if (from && to)
      moves.unshift({ by: classifyMove(what ?? ''), from, to, bytesAfter: log.length - index - line.length })
  return moves
}

const REFLOG_LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t\n]*(?:\t(.*))?\n/gm

/** The same moves, with consecutive moves by git joined to one. */
export function joinGitMoves(moves: readonly HeadMove[]): HeadMove[] {
  const runs: HeadMove[] = []
  for (const move of moves) {
    const next = runs.at(-1)
    if (move.by === 'git' && next?.by === 'git' && next.from === move.to)
      runs.splice(-1, 1, { ...next, from: move.from })
    else runs.push(move)
  }
  return runs
}

// The commit that ends a merge or a stopped rebase has both git's merge and a person's solution of the conflicts.
function classifyMove(what: string): HeadMove['by'] {
  if (/^commit \((merge|cherry-pick)\)|\(continue\)/.test(what)) return 'either'
  if (what.startsWith('reset:')) return 'reset'
  return what.startsWith('commit') ? 'commit' : 'git'
}
