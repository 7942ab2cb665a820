import type { Contributor } from '../../ledger/record.ts'

/** A number of lines that commits of a range added for one intent, of one author. */
export type LineCount = {
  /** Null when no intent is known. */
  readonly intent: string | null
  readonly contributor: Contributor
  /** True when somebody else may have written them as well. */
  readonly isDoubtful: boolean
  /** False when their commit has no note, so nothing was recorded of them. */
  readonly isNoted: boolean
  /** True for lines of the generated parts of kotef's own files. */
  readonly isOwn: boolean
  readonly lines: number
}

/** The lines that some commits added: those with a recorded author, kotef's own, and, counted apart, all others. */
export type LineTotals = {
  readonly added: number
  readonly recorded: readonly RecordedLines[]
  /** The lines that kotef itself wrote: the list of lessons, and the block of the intent map. */
  readonly own: number
  /** The lines without a known author: of commits with a note, which names none, and of commits without a note. */
  readonly untraced: { readonly unknown: number; readonly withoutNote: number }
}

type RecordedLines = {
  readonly type: 'ai' | 'human' | 'mixed'
  /** The model of an agent; null when it was not recorded. */
  readonly model: string | null
  readonly lines: number
  /** How many of them somebody else may have written. */
  readonly doubtful: number
}

/** Adds up counts of lines; the author with the most lines is the first. */
export function lineTotals(counts: readonly LineCount[]): LineTotals {
  const others = counts.filter(it => !it.isOwn)
  const untraced = others.filter(isUntraced)
  const recorded = others.filter(it => !isUntraced(it))
  return {
    added: sumOf(counts),
    recorded: recordedLines(recorded),
    own: sumOf(counts.filter(it => it.isOwn)),
    untraced: {
      unknown: sumOf(untraced.filter(it => it.isNoted)),
      withoutNote: sumOf(untraced.filter(it => !it.isNoted)),
    },
  }
}

function isUntraced({ isNoted, contributor }: LineCount): boolean {
  return !isNoted || contributor.type === 'unknown'
}

function sumOf(counts: readonly LineCount[]): number {
  return counts.reduce((sum, it) => sum + it.lines, 0)
}

function recordedLines(counts: readonly LineCount[]): RecordedLines[] {
  const byAuthor = new Map<string, LineCount[]>()
  for (const it of counts) byAuthor.set(authorKey(it), [...(byAuthor.get(authorKey(it)) ?? []), it])
  // The order of authors with equally many lines must not depend on that of the commits.
  const keys = [...byAuthor.keys()].sort()
  return keys.map(it => recordedRow(byAuthor.get(it) ?? [])).sort((one, other) => other.lines - one.lines)
}

function authorKey({ contributor }: LineCount): string {
  return JSON.stringify([contributor.type, contributor.model_id ?? null])
}

function recordedRow(counts: readonly LineCount[]): RecordedLines {
  const { type = 'unknown', model_id: model = null } = counts[0]?.contributor ?? {}
  return {
    type: type === 'unknown' ? 'mixed' : type,
    model,
    lines: sumOf(counts),
    doubtful: sumOf(counts.filter(it => it.isDoubtful)),
  }
}
