import type { AddedRange, CommitLines } from './commit-lines.ts'
import type { HeadLines } from './head-blame.ts'

/** A range of added lines that HEAD still has, and where it is there. */
export type SurvivingRange = AddedRange & { readonly headPath: string; readonly headLine: number }

/** Answers which of the lines that a commit added HEAD still has. */
export type SurvivingLookup = (commit: Pick<CommitLines, 'commit' | 'ranges'>) => readonly SurvivingRange[]

/** Makes the answers from the blame of HEAD's files. */
export function survivingRanges(head: readonly HeadLines[]): SurvivingLookup {
  const byOrigin = new Map<string, HeadLines[]>()
  for (const it of head) {
    const key = originKey(it.commit, it.path)
    const known = byOrigin.get(key)
    if (known) known.push(it)
    else byOrigin.set(key, [it])
  }
  return ({ commit, ranges }) =>
    ranges.flatMap(range => (byOrigin.get(originKey(commit, range.path)) ?? []).flatMap(it => commonLines(range, it)))
}

function originKey(commit: string, path: string): string {
  return `${commit} ${path}`
}

function commonLines(range: AddedRange, { origin, lines, at, headPath }: HeadLines): SurvivingRange[] {
  const first = Math.max(range.line, origin)
  const end = Math.min(range.line + range.lines, origin + lines)
  return end <= first ? [] : [{ ...range, line: first, lines: end - first, headPath, headLine: at + first - origin }]
}
