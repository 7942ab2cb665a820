import { intentName } from '../../../core/authorship/line-intent.ts'
import type { LineQuery } from '../pages/links.ts'
import { momentOf } from '../pages/periods.ts'
import { isPolicyFile } from '../../../core/base/governance-files.ts'
import type { AddedRange, CommitLines, LineOwner } from '../../../world/provenance/commit-lines.ts'
import type { SurvivingLookup, SurvivingRange } from '../../../world/provenance/surviving-ranges.ts'

/** A range of lines that passed a filter, and its commit. */
export type SelectedRange = {
  readonly commit: CommitLines
  readonly range: AddedRange | SurvivingRange
}

/** The ranges of lines that pass a filter, in the order of the commits. `surviving` answers for `alive: 'yes'`. */
export function selectLines(
  commits: readonly CommitLines[],
  query: LineQuery,
  surviving: SurvivingLookup | null,
): SelectedRange[] {
  const wanted = commits.filter(commitTest(query))
  const isOwned = ownerTest(query)
  const isInFile = fileTest(query)
  const rangesOf = (commit: CommitLines) => (query.alive === 'yes' ? (surviving?.(commit) ?? []) : commit.ranges)
  return wanted.flatMap(commit =>
    rangesOf(commit)
      .filter(it => isOwned(it.owner) && isInFile(it))
      .map(range => ({ commit, range })),
  )
}

/** True for the commits that a filter lets pass, whatever lines they have. */
export function commitTest({ since, until, person, note }: LineQuery): (commit: CommitLines) => boolean {
  const from = since === undefined ? null : momentOf(since)
  const to = until === undefined ? null : momentOf(until)
  return ({ at, author, isNoted }) =>
    (from === null || at >= from) &&
    (to === null || at < to) &&
    (person === undefined || author === person) &&
    (note === undefined || isNoted === (note === 'yes'))
}

/** True for the ranges of lines in the files that a filter lets pass. */
function fileTest({ file, policy }: LineQuery): (range: AddedRange | SurvivingRange) => boolean {
  return range => {
    const path = 'headPath' in range ? range.headPath : range.path
    return (file === undefined || path === file) && (policy === undefined || !isPolicyFile(path))
  }
}

/** True for the owners of lines that a filter lets pass. */
export function ownerTest({ intent, author, model }: LineQuery): (owner: LineOwner) => boolean {
  return owner =>
    (intent === undefined || (intentName(owner) ?? '') === intent) &&
    (author === undefined || (author === 'recorded' ? isRecorded(owner) : owner.type === author)) &&
    (model === undefined || (owner.model ?? '') === model)
}

function isRecorded({ type }: LineOwner): boolean {
  return type !== 'unknown' && type !== 'kotef'
}
