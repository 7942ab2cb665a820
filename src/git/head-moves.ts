/**
 * Where HEAD went, and who made what it came to: a plain commit is made of what somebody staged by hand. A reset may
 * have left the worktree as it was.
 */
export type HeadMove = {
  readonly by: 'git' | 'hand' | 'both' | 'reset'
  readonly from: string
  readonly to: string
  /** How many bytes of the log come after it. */
  readonly bytesAfter: number
}

/** Reads lines of HEAD's log, byte for byte; the newest move comes first. */
export function headMoves(log: string): HeadMove[] {
  const moves: HeadMove[] = []
  for (const { 0: line, 1: from, 2: to, 3: what, index } of log.matchAll(REFLOG_LINE))
    if (from && to)
      moves.unshift({ by: classifyMove(what ?? ''), from, to, bytesAfter: log.length - index - line.length })
  return moves
}

const REFLOG_LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t\n]*(?:\t(.*))?\n/gm

/** The same moves, with all that git did without a break as one. */
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

// The end of a merge or of a stopped rebase has what git merged, and what somebody made of the conflicts.
function classifyMove(what: string): HeadMove['by'] {
  if (/^commit \((merge|cherry-pick)\)|\(continue\)/.test(what)) return 'both'
  if (what.startsWith('reset:')) return 'reset'
  return what.startsWith('commit') ? 'hand' : 'git'
}
