import { type Condition, firstRow } from '../../base/first-row.ts'
import type { AskedFacts, OriginFacts } from './facts.ts'

/** Who made a change: git, or a person with whatever tool; or there is no change, or none that counts. */
export type OriginVerdict = { readonly origin: Origin; readonly rule: string }

type Origin = 'git' | 'person' | 'unchanged' | 'ignored'

/** Decides who made a change by the first row that fits, or names the fact that the decision needs next. */
export function classify(facts: Partial<OriginFacts>): OriginVerdict | { readonly need: keyof AskedFacts } {
  const row = firstRow(ROWS, facts)
  if (row === null) throw new Error('The last row fits everything.')
  return 'need' in row ? { need: row.need as keyof AskedFacts } : { origin: row.origin, rule: row.rule }
}

/** The whole decision; docs/decisions/git-or-person.md has the reason for each row. The first row that fits decides. */
export const ROWS: readonly OriginRow[] = [
  row('announced-by-kotef', 'git', { exists: true, announcedByKotef: true }),
  row('unchanged', 'unchanged', { differs: false }),
  row('ignored', 'ignored', { status: 'ignored' }),
  row('filtered', 'unchanged', { exists: true, status: 'clean', knownFromIndex: true }),

  // The file is gone.
  row('sparse-checkout', 'git', { exists: false, status: 'clean', leftOutBySparseCheckout: true }),
  row('removed-by-switch', 'git', { exists: false, status: 'dirty', removedBy: 'git' }),
  row('removed-by-hand', 'person', { exists: false, status: 'dirty' }),
  row('taken-by-stash', 'git', { exists: false, status: 'clean', takenByStash: true }),
  row('removed-before-seen-in-index', 'git', { exists: false, gitHadFile: false, removedByLastHeadMove: true }),
  row('removed-unknown-to-git', 'person', { exists: false, gitHadFile: false }),
  row('removed-and-committed', 'person', { exists: false, removedBy: 'commit' }),
  row('removed-by-git', 'git', { exists: false, removedBy: 'git' }),
  row('removed-in-merge-commit', 'git', { exists: false, status: 'clean', removedBy: 'either' }),
  row('removed-as-head-moved', 'git', { exists: false, status: 'clean', headMovedByGit: true }),
  row('removed', 'person', { exists: false }),

  // The file has changed: could git have written it at that time?
  row('moved-here', 'person', { arrivedByMove: true }),
  row('popped', 'git', { writtenUnderIndexLock: false, status: 'untracked', seenHere: true, inStash: true }),
  row('written-without-lock', 'person', { writtenUnderIndexLock: false }),

  // It could: since when does git have the content?
  row('new-to-git', 'person', { contentAge: 'not-in-git' }),
  row('back-again', 'git', { contentAge: 'seen-here' }),
  row('committed-in-call', 'person', {
    contentAge: 'before-epoch',
    writtenInCall: true,
    status: 'clean',
    lastBroughtBy: 'commit',
  }),
  row('staged-in-call', 'person', {
    contentAge: 'before-epoch',
    writtenInCall: true,
    status: ['staged', 'dirty'],
    lastBroughtBy: ['commit', 'nothing'],
    indexStood: false,
    inStash: false,
    isMidOperation: false,
  }),
  row('restored', 'git', { contentAge: 'before-epoch', existed: true, status: ['clean', 'staged', 'dirty'] }),
  row('brought-by-git', 'git', { contentAge: 'before-epoch', lastBroughtBy: 'git' }),
  row('from-stash', 'git', { contentAge: 'before-epoch', inStash: true }),
  row('untracked', 'person', { contentAge: 'before-epoch', status: 'untracked' }),
  row('staged-by-hand', 'person', { contentAge: 'before-epoch', lastBroughtBy: 'commit' }),
  row('new-file-from-git', 'git', { contentAge: 'before-epoch' }),

  // Only since this epoch: who made it first?
  row('made-by-git', 'git', { firstBroughtBy: 'git' }),
  row('made-in-merge-commit', 'git', { firstBroughtBy: 'either', hadConflictMarks: false, blobNotYounger: true }),
  row('made-with-conflict', 'git', { firstBroughtBy: 'nothing', hasConflictMarks: true, blobNotYounger: true }),
  row('committed-elsewhere', 'git', { writtenInCall: false, committedElsewhere: true }),
  row('typed-and-staged', 'person', {}),
]

export type OriginRow = { readonly rule: string; readonly origin: Origin; readonly when: Condition<OriginFacts> }

function row(rule: string, origin: Origin, when: Condition<OriginFacts>): OriginRow {
  return { rule, origin, when }
}
