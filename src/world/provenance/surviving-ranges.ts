import { groupBy } from '../../core/base/grouping.ts'
import type { AddedRange, CommitLines } from './commit-lines.ts'
import type { HeadLines } from './head-blame.ts'

/** A range of added lines that HEAD still has, and where it is there. */
export type SurvivingRange = AddedRange & { readonly headPath: string; readonly headLine: number }

/** Answers which of the lines that a commit added HEAD still has. */
export type SurvivingLookup = (commit: Pick<CommitLines, 'commit' | 'ranges'>) => readonly SurvivingRange[]

/** Makes the answers from the blame of HEAD's files. Each is made once: the pages ask the same for every filter. */
export function survivingRanges(head: readonly HeadLines[]): SurvivingLookup {
  const byOrigin = new Map(
    [...groupBy(head, it => originKey(it.commit, it.path))].map(([key, all]) => [key, byFile(all)]),
  )
  const answers = new WeakMap<readonly AddedRange[], readonly SurvivingRange[]>()
  return ({ commit, ranges }) => {
    const known = answers.get(ranges)
    if (known) return known
    const found = ranges.flatMap(range => {
      const files = byOrigin.get(originKey(commit, range.path)) ?? []
      return files.flatMap(lines => commonRanges(range, lines))
    })
    answers.set(ranges, found)
    return found
  }
}

function originKey(commit: string, path: string): string {
  return `${commit} ${path}`
}

/** Lines of one origin by the file of HEAD, in the order of the origin: those of a file do not overlap. */
function byFile(all: readonly HeadLines[]): HeadLines[][] {
  return [...groupBy(all, it => it.headPath).values()].map(it => it.toSorted((one, other) => one.origin - other.origin))
}

function commonRanges(range: AddedRange, lines: readonly HeadLines[]): SurvivingRange[] {
  const found: SurvivingRange[] = []
  for (let n = firstAfter(lines, range.line); n < lines.length; n++) {
    const it = lines[n]
    if (!it || it.origin >= range.line + range.lines) break
    found.push(commonLines(range, it))
  }
  return found
}

/** The first of sorted lines that does not end before a line. A commit may have changed thousands of places. */
function firstAfter(lines: readonly HeadLines[], line: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    const it = lines[middle]
    if (it && it.origin + it.lines <= line) low = middle + 1
    else high = middle
  }
  return low
}

function commonLines(range: AddedRange, { origin, lines, at, headPath }: HeadLines): SurvivingRange {
  const first = Math.max(range.line, origin)
  const end = Math.min(range.line + range.lines, origin + lines)
  return { ...range, line: first, lines: end - first, headPath, headLine: at + first - origin }
}
