import { ledgerSize } from '../../../world/ledger/open-ledger.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { readNotesTip } from '../../../world/ledger/notes.ts'
import { reviewCommits, type ReviewedRange } from '../../../world/views/review-range.ts'
import { LEDGER_JUDGEMENT_MS_MAX } from '../../../core/base/page-times.ts'
import { ledgerByCatalogue } from '../../../world/verify/ledger-findings.ts'
import { parseVerifyRange } from '../../../world/verify/verify-range.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { CommitDiff } from '../pages/commit-facts.ts'
import { readCommitDiff } from './read-commit-diff.ts'
import { type SlowSource, slowSource } from './slow-source.ts'

/** A range that was judged, but for the findings in the ledger, and when; of one commit, also what it changes. */
export type JudgedReview = ReviewedRange & { readonly judgedAt: number; readonly diff: CommitDiff | null }

type RangeSource = {
  readonly judgements: SlowSource<JudgedReview>
  /** The size of the ledger that the latest judgement was asked for, and when. */
  ledger: { readonly bytes: number; readonly at: number }
}

const sources = new WeakMap<Workspace, Map<string, RangeSource>>()

/** Asks what `kotef report` says of the commits of a range, and waits for it as long as `wait`. */
export async function askReview(
  workspace: Workspace,
  range: string,
  wait: Promise<unknown> | null,
): Promise<SlowFacts<JudgedReview>> {
  const source = sourceOf(workspace, range)
  const { from, to, without } = await parseVerifyRange(workspace, range)
  const tip = await readNotesTip(workspace)
  return source.judgements.ask([from, to, ...without, tip, await judgedBytes(workspace, source)].join(' '), wait)
}

// The ledger grows with each write: often enough is once in a while.
async function judgedBytes(workspace: Workspace, source: RangeSource): Promise<number> {
  const now = workspace.clock.now()
  if (now - source.ledger.at > LEDGER_JUDGEMENT_MS_MAX) source.ledger = { bytes: await ledgerSize(workspace), at: now }
  return source.ledger.bytes
}

function sourceOf(workspace: Workspace, range: string): RangeSource {
  const ranges = sources.get(workspace) ?? new Map<string, RangeSource>()
  sources.set(workspace, ranges)
  const source = ranges.get(range) ?? openRange(workspace, range)
  // Set again, so that the first of the map is the one that was not asked for the longest time.
  ranges.delete(range)
  ranges.set(range, source)
  for (const oldest of ranges.keys()) if (ranges.size > RANGES_MAX) ranges.delete(oldest)
  return source
}

const RANGES_MAX = 20

function openRange(workspace: Workspace, range: string): RangeSource {
  const judge = async (): Promise<JudgedReview> => {
    const judgedAt = workspace.clock.now()
    const request = { ...REQUEST, way: { way: 'range', range }, ledger: await ledgerByCatalogue(workspace) } as const
    const reviewed = await reviewCommits(workspace, request)
    const commit = isOneCommit(range) ? (await parseVerifyRange(workspace, range)).to : null
    const diff = commit === null ? null : await readCommitDiff(workspace, commit, reviewed)
    return { ...reviewed, judgedAt, diff }
  }
  return { judgements: slowSource(judge), ledger: { bytes: 0, at: -Infinity } }
}

/** True for the words of a range that is one commit. */
function isOneCommit(range: string): boolean {
  return range.endsWith('^!')
}

// A page runs no check: these are commands of the repository.
const REQUEST = {
  env: process.env,
  allowEmpty: true,
  isEach: false,
  requireTrace: false,
  runChecks: false,
  running: () => {},
}
