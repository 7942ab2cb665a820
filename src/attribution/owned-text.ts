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
  const gone = [...removed]
  const placed = [...added]
  let at = 0
  for (;;) {
    const [loss, gain] = [gone[0], placed[0]]
    const keptToLoss = loss ? loss.start_line - 1 - at : Infinity
    const keptToGain = gain ? gain.line - 1 - after.length : Infinity
    const kept = Math.max(0, Math.min(keptToLoss, keptToGain, before.length - at))
    for (let n = 0; n < kept; n++) after.push(before[at++] ?? UNKNOWN_LINE)
    if (!loss && !gain) return after
    // Lines removed and added at the same position are one hunk.
    const lost = keptToLoss <= kept ? (gone.shift()?.lines ?? 0) : 0
    const gained = keptToGain <= kept || at >= before.length ? (placed.shift()?.lines ?? []) : []
    for (const each of keepOwners(before.slice(at, at + lost), gained)) after.push(each)
    at += lost
    if (lost === 0 && gained.length === 0) gone.shift()
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
function keepOwners(lost: OwnedText, gained: OwnedText): OwnedText {
  if (lost.length === 0 || gained.length === 0) return gained
  const hashes = new Set(lost.map(it => it.hash))
  if (!gained.some(it => it.hash !== null && hashes.has(it.hash))) return gained
  const options = { comparator: hasSameHash, maxEditLength: EDITS_MAX }
  const changes = diffArrays([...lost], [...gained], options)
  if (!changes) return gained
  let [from, to] = [0, 0]
  return changes.flatMap(({ value, added, removed }) => {
    if (!added) from += value.length
    if (!removed) to += value.length
    if (removed) return []
    return added ? gained.slice(to - value.length, to) : lost.slice(from - value.length, from)
  })
}

// A limit for the time of the diff: texts with more differences count as different texts.
const EDITS_MAX = 2_000

function hasSameHash(one: OwnedLine, other: OwnedLine): boolean {
  return one.hash !== null && one.hash === other.hash
}
