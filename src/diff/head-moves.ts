/** Where HEAD went, and who made what it came to: a plain commit is made of what somebody staged by hand. */
export type HeadMove = { readonly by: 'git' | 'hand' | 'both'; readonly from: string; readonly to: string }

/** Reads lines of HEAD's log. What one side did without a break is one move; the newest move comes first. */
export function headMoves(log: string): HeadMove[] {
  const moves: HeadMove[] = []
  for (const line of log.split('\n')) {
    const [, from, to, what] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line) ?? []
    if (!from || !to) continue
    const [by, last] = [makerOf(what ?? ''), moves[0]]
    if (last?.by === by && last.to === from) moves[0] = { ...last, to }
    else moves.unshift({ by, from, to })
  }
  return moves
}

// The end of a merge or of a stopped rebase has what git merged, and what somebody made of the conflicts.
function makerOf(what: string): HeadMove['by'] {
  if (/^commit \((merge|cherry-pick)\)|\(continue\)/.test(what)) return 'both'
  return what.startsWith('commit') ? 'hand' : 'git'
}
