import { hashesIn } from '../ledger/content-hash.ts'
import type { TracedFile, TracedRange, TraceRecord } from '../ledger/record.ts'
import { type Document, documentAfter, documentOf, type Owner, type OwnedLine, type Placed } from './document.ts'
import { type Matcher, matcherOf, WITHIN } from './match.ts'

/** What the ledger knows of a path. */
export type Trail = {
  /** Each text that stood there, by its blob's oid. */
  readonly states: ReadonlyMap<string, Document>
  /** Each range that was written, with some lines around it; the newest last. */
  readonly fragments: readonly Document[]
}

/** Who a record's file is from. */
export type OwnerOf = (record: TraceRecord, file: TracedFile) => Owner

type Following = { readonly states: Map<string, Document>; readonly fragments: Document[]; readonly past: Matcher }

/** What is known beside the records: the line hashes of blobs at hand, and whether a hash is that of a weak line. */
export type Known = {
  readonly bases: ReadonlyMap<string, readonly number[]>
  readonly isWeak: (hash: number) => boolean
  readonly ownerOf: OwnerOf
}

/** Follows writes from text to text, in the order of the ledger; answers the trail of each path. */
export function trailsOf(records: readonly TraceRecord[], known: Known): ReadonlyMap<string, Trail> {
  const trails = new Map<string, Following>()
  const grounds = new Map([...known.bases].map(([oid, it]) => [oid, it.map(hash => ({ hash, owner: null }))]))
  for (const record of records) {
    for (const file of record.files) {
      const { before, from } = file.kotef
      const trail = trailAt(trails, file.path)
      const origin = from === undefined ? trail : trailAt(trails, from)
      // What was written of a file before it was moved is still known of it.
      if (origin !== trail) for (const it of origin.fragments) learn(trail, it)
      const text = before === null ? [] : (origin.states.get(before) ?? grounds.get(before) ?? null)
      if (before !== null && text) keep(origin.states, before, text)
      follow(trail, file, { before: text, owner: known.ownerOf(record, file), isWeak: known.isWeak })
    }
  }
  return trails
}

function trailAt(trails: Map<string, Following>, path: string): Following {
  const known = trails.get(path)
  if (known) return known
  const trail: Following = { states: new Map(), fragments: [], past: matcherOf([]) }
  trails.set(path, trail)
  return trail
}

function learn({ fragments, past }: Following, fragment: Document): void {
  fragments.push(fragment)
  past.add(fragment)
}

type Ground = { readonly before: Document | null; readonly owner: Owner; readonly isWeak: Known['isWeak'] }

function follow(trail: Following, { conversations, kotef }: TracedFile, { before, owner, isWeak }: Ground): void {
  const placed = conversations.flatMap(it => it.ranges).map(it => placedBy(it, owner))
  const written = before ? documentAfter(before, kotef.removed, placed) : documentOf(placed)
  const document = before ? broughtBack(trail.past, { placed, written, before }, isWeak) : written
  for (const { line, lines } of placed) learn(trail, document.slice(...around(line, lines.length)))
  if (kotef.after === null || kotef.opaque !== undefined || !before) return
  keep(trail.states, kotef.after, document)
}

// A text that came back is its first owner's.
function keep(states: Map<string, Document>, oid: string, document: Document): void {
  if (!states.has(oid)) states.set(oid, document)
}

type Writing = { readonly placed: readonly Placed[]; readonly written: Document; readonly before: Document }

/** Lines that stood here once, and did not stand here just before, are brought back: they are their first owner's. */
function broughtBack(past: Matcher, { placed, written, before }: Writing, isWeak: Known['isWeak']): Document {
  const isKnown = ({ lines }: Placed): boolean => lines.some(it => it.hash !== null && past.knows(it.hash))
  const candidates = placed.filter(isKnown)
  if (candidates.length === 0) return written
  const here = new Set(before.map(it => it.hash))
  const document = [...written]
  for (const { line, lines } of candidates) {
    const [from, to] = around(line, lines.length)
    const marks = written.slice(from, to).map(({ hash }) => markOf(hash, isWeak))
    past.find(marks, WITHIN).forEach((found, n) => {
      const it = written[from + n]
      const isAdded = from + n >= line - 1 && from + n < line - 1 + lines.length
      if (found?.owner && it && isAdded && !here.has(it.hash)) document[from + n] = { ...it, owner: found.owner }
    })
  }
  return document
}

// Nobody knows how long a line was; four that are not weak are as good as twenty letters.
function markOf(hash: number | null, isWeak: Known['isWeak']): { hash: number; weight: number } {
  return { hash: hash ?? -1, weight: hash === null || isWeak(hash) ? 0 : WITHIN / 4 }
}

function around(line: number, count: number): [number, number] {
  return [Math.max(0, line - 1 - AROUND), line - 1 + count + AROUND]
}

/** As many as a diff shows, unless it is told otherwise. */
const AROUND = 3

// What somebody else wrote into a ledger may have anything in the place of hashes.
function placedBy({ start_line, end_line, line_hashes }: TracedRange, owner: Owner): Placed {
  const hashes = typeof line_hashes === 'string' ? hashesIn(line_hashes) : []
  const count = Math.min(Math.max(0, end_line - start_line + 1), LINES_MAX)
  const lines = Array.from({ length: count }, (_, n): OwnedLine => ({ hash: hashes[n] ?? null, owner }))
  return { line: Math.min(start_line, LINES_MAX), lines }
}

const LINES_MAX = 5_000_000
