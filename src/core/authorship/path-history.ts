import { parseLineHashes } from '../ledger/content-hash.ts'
import type { TracedFile, TracedRange, TraceRecord } from '../ledger/record.ts'
import {
  type OwnedText,
  ownedTextAfter,
  ownedTextOf,
  type Owner,
  type OwnedLine,
  type PlacedLines,
} from './owned-text.ts'
import { type LineMatcher, lineMatcher, WEIGHT_WITHIN_FILE } from './line-matcher.ts'

/** The history of a path in the ledger. */
export type PathHistory = {
  /** The texts of the path, by the oid of their blob. */
  readonly texts: ReadonlyMap<string, OwnedText>
  /** Each written range with the lines around it; the newest last. */
  readonly fragments: readonly OwnedText[]
}

/** The author of a file's change in a record. */
export type OwnerOf = (record: TraceRecord, file: TracedFile) => Owner

type GrowingHistory = {
  readonly texts: Map<string, OwnedText>
  readonly fragments: OwnedText[]
  readonly matcher: LineMatcher
}

/** The inputs beside the records: the line hashes of known blobs, and whether a hash is that of a weak line. */
export type HistorySources = {
  readonly bases: ReadonlyMap<string, readonly number[]>
  readonly isWeak: (hash: number) => boolean
  readonly ownerOf: OwnerOf
}

/** Replays the writes in the order of the ledger; returns the history of each path. */
export function pathHistories(
  records: readonly TraceRecord[],
  known: HistorySources,
): ReadonlyMap<string, PathHistory> {
  const histories = new Map<string, GrowingHistory>()
  const baseTexts = new Map([...known.bases].map(([oid, it]) => [oid, it.map(hash => ({ hash, owner: null }))]))
  for (const record of records) {
    for (const file of record.files) {
      const { before, from, origins = [] } = file.kotef
      const history = historyAt(histories, file.path)
      const origin = from === undefined ? history : historyAt(histories, from)
      // A renamed file keeps the fragments of its old path.
      if (origin !== history) for (const it of origin.fragments) addFragment(history, it)
      const moved = lineMatcher(origins.flatMap(path => documentsOf(histories.get(path))))
      const text = textBefore(file.kotef, [origin.texts, baseTexts])
      if (before !== null && text) keepFirst(origin.texts, before, text)
      applyWrite(history, file, { before: text, owner: known.ownerOf(record, file), isWeak: known.isWeak, moved })
    }
  }
  return histories
}

// Of a text that was not seen, the record has some lines at their places, and nothing of the others.
function textBefore(
  { before, opaque }: TracedFile['kotef'],
  known: readonly ReadonlyMap<string, OwnedText>[],
): OwnedText | null {
  if (opaque === 'unknown-before') return null
  if (before === null) return []
  return known.map(it => it.get(before)).find(it => it !== undefined) ?? null
}

function historyAt(histories: Map<string, GrowingHistory>, path: string): GrowingHistory {
  const known = histories.get(path)
  if (known) return known
  const history: GrowingHistory = { texts: new Map(), fragments: [], matcher: lineMatcher([]) }
  histories.set(path, history)
  return history
}

// Another program may have written the record, so that an origin can be any word, or the path itself.
function documentsOf(history: GrowingHistory | undefined): OwnedText[] {
  return history ? [...history.texts.values(), ...history.fragments] : []
}

function addFragment({ fragments, matcher }: GrowingHistory, fragment: OwnedText): void {
  fragments.push(fragment)
  matcher.add(fragment)
}

type WriteContext = {
  readonly before: OwnedText | null
  readonly owner: Owner
  readonly isWeak: HistorySources['isWeak']
  /** The texts of files that were removed at the same time, and of which this one has lines. */
  readonly moved: LineMatcher
}

function applyWrite(
  history: GrowingHistory,
  { conversations, kotef }: TracedFile,
  { before, owner, ...known }: WriteContext,
): void {
  const placed = conversations.flatMap(it => it.ranges).map(it => placedLines(it, owner))
  const written = before ? ownedTextAfter(before, kotef.removed, placed) : ownedTextOf(placed)
  const document = before ? restoreOwners(history.matcher, { placed, written, before }, known) : written
  // Of what is around the lines that a commit showed, nothing is known.
  const isAlone = kotef.opaque === 'unknown-before'
  for (const { line, lines } of placed)
    addFragment(history, isAlone ? lines : document.slice(...linesAround(line, lines.length)))
  if (kotef.after === null || kotef.opaque !== undefined || !before) return
  keepFirst(history.texts, kotef.after, document)
}

// If a text comes back, its lines keep their first owners.
function keepFirst(texts: Map<string, OwnedText>, oid: string, document: OwnedText): void {
  if (!texts.has(oid)) texts.set(oid, document)
}

type AppliedWrite = { readonly placed: readonly PlacedLines[]; readonly written: OwnedText; readonly before: OwnedText }

/**
 * Lines that the path once had, and not in the text before this write, were restored, and lines of a removed file were
 * moved: they keep their first owner.
 */
function restoreOwners(
  matcher: LineMatcher,
  { placed, written, before }: AppliedWrite,
  { isWeak, moved }: Pick<WriteContext, 'isWeak' | 'moved'>,
): OwnedText {
  const isKnown = ({ lines }: PlacedLines): boolean =>
    lines.some(({ hash }) => hash !== null && (matcher.has(hash) || moved.has(hash)))
  const candidates = placed.filter(isKnown)
  if (candidates.length === 0) return written
  const here = new Set(before.map(it => it.hash))
  const document = [...written]
  for (const { line, lines } of candidates) {
    const [from, to] = linesAround(line, lines.length)
    const marks = written.slice(from, to).map(({ hash }) => weakAwareMark(hash, isWeak))
    const origins = moved.find(marks, WEIGHT_OF_MOVED)
    matcher.find(marks, WEIGHT_WITHIN_FILE).forEach((restored, n) => {
      const found = restored ?? origins[n]
      const it = written[from + n]
      const isAdded = from + n >= line - 1 && from + n < line - 1 + lines.length
      if (found?.owner && it && isAdded && !here.has(it.hash)) document[from + n] = { ...it, owner: found.owner }
    })
  }
  return document
}

// The record says that lines were moved, so two that are not weak are enough.
const WEIGHT_OF_MOVED = WEIGHT_WITHIN_FILE / 2

// The length of a line is unknown here. Four lines that are not weak count as twenty letters.
function weakAwareMark(hash: number | null, isWeak: HistorySources['isWeak']): { hash: number; weight: number } {
  return { hash: hash ?? -1, weight: hash === null || isWeak(hash) ? 0 : WEIGHT_WITHIN_FILE / 4 }
}

function linesAround(line: number, count: number): [number, number] {
  return [Math.max(0, line - 1 - CONTEXT_LINES), line - 1 + count + CONTEXT_LINES]
}

/** As in a diff by default. */
const CONTEXT_LINES = 3

// Another program may have written the ledger, so the hashes may have any type and the ranges any size.
function placedLines({ start_line, end_line, line_hashes }: TracedRange, owner: Owner): PlacedLines {
  const hashes = typeof line_hashes === 'string' ? parseLineHashes(line_hashes) : []
  const count = Math.min(Math.max(0, end_line - start_line + 1), LINE_NUMBER_MAX)
  const lines = Array.from({ length: count }, (_, n): OwnedLine => ({ hash: hashes[n] ?? null, owner }))
  return { line: Math.min(start_line, LINE_NUMBER_MAX), lines }
}

const LINE_NUMBER_MAX = 5_000_000
