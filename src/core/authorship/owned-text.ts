import { diffArrays } from 'diff'
import type { Authorship } from '../ledger/commit-record.ts'
import type { TracedChange } from '../ledger/record.ts'

/** The author of a line, and the id of the record that names the author. */
export type Owner = Authorship & { readonly record: string }

/** A line as the ledger knows it: its hash, null when unknown; its owner, null when it is older than the ledger. */
export type OwnedLine = { readonly hash: number | null; readonly owner: Owner | null }

/** A text, line by line. */
export type OwnedText = readonly OwnedLine[]

/** Lines that a write added; the first is line `line` (1-based) of the text after the write. */
export type PlacedLines = { readonly line: number; readonly lines: OwnedText }

/**
 * The text after a write: without the removed lines, with the added ones. A line that is replaced by an equal one,
 * apart from white space at its ends, keeps its first owner.
 */
export function ownedTextAfter(
  before: OwnedText,
  removed: TracedChange['removed'],
  added: readonly PlacedLines[],
): OwnedText {
  const after: OwnedLine[] = []
  const removals = [...removed]
  const additions = [...added]
  let at = 0
  for (;;) {
    const removal = removals[0]
    const addition = additions[0]
    const keptToRemoval = removal ? removal.start_line - 1 - at : Infinity
    const keptToAddition = addition ? addition.line - 1 - after.length : Infinity
    const kept = Math.max(0, Math.min(keptToRemoval, keptToAddition, before.length - at))
    for (let n = 0; n < kept; n++) after.push(before[at++] ?? UNKNOWN_LINE)
    if (!removal && !addition) return after
    // Lines removed and added at the same position are one hunk.
    const removedCount = keptToRemoval <= kept ? (removals.shift()?.lines ?? 0) : 0
    const addedLines = keptToAddition <= kept || at >= before.length ? (additions.shift()?.lines ?? []) : []
    for (const each of keepOwners(before.slice(at, at + removedCount), addedLines)) after.push(each)
    at += removedCount
    if (removedCount === 0 && addedLines.length === 0) removals.shift()
  }
}

/** The text after a write to an unknown text: only the added lines are known. */
export function ownedTextOf(added: readonly PlacedLines[]): OwnedText {
  const lines: OwnedLine[] = []
  for (const { line, lines: put } of added) {
    while (lines.length < line - 1) lines.push(UNKNOWN_LINE)
    for (const each of put) lines.push(each)
  }
  return lines
}

const UNKNOWN_LINE: OwnedLine = { hash: null, owner: null }

/** Added lines that replace others, where lines equal to replaced ones keep their first owner. */
function keepOwners(replaced: OwnedText, added: OwnedText): OwnedText {
  if (replaced.length === 0 || added.length === 0) return added
  const hashes = new Set(replaced.map(it => it.hash))
  if (!added.some(it => it.hash !== null && hashes.has(it.hash))) return added
  const options = { comparator: hasSameHash, maxEditLength: EDITS_MAX }
  const changes = diffArrays([...replaced], [...added], options)
  if (!changes) return added
  let from = 0
  let to = 0
  return changes.flatMap(({ value, added: isAdded, removed: isRemoved }) => {
    if (!isAdded) from += value.length
    if (!isRemoved) to += value.length
    if (isRemoved) return []
    return isAdded ? added.slice(to - value.length, to) : replaced.slice(from - value.length, from)
  })
}

// A limit for the time of the diff: texts with more differences count as different texts.
const EDITS_MAX = 2_000

function hasSameHash(one: OwnedLine, other: OwnedLine): boolean {
  return one.hash !== null && one.hash === other.hash
}
