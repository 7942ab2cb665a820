import type { CatalogueSegment, SegmentSections, SegmentSpan } from './catalogue-segment.ts'
import { hashOfWords } from './key-hash.ts'

/**
 * A segment's file: a head, the sections, and a checksum of each page of the sections, so that a part can be read and
 * checked alone.
 */
export type SegmentHead = SegmentSpan & {
  readonly timeMin: number
  readonly timeMax: number
  /** The words of each section, and where it begins among the words after the head. */
  readonly sections: Readonly<Record<SectionName, { readonly first: number; readonly count: number }>>
  readonly words: number
  readonly sumOfSums: number
}

export type SectionName = keyof SegmentSections

const SECTIONS = ['keys', 'ends', 'lines', 'starts', 'times', 'bad', 'flawed', 'ids'] as const
const HEAD_NUMBERS = 18
export const HEAD_BYTES = HEAD_NUMBERS * 8
export const PAGE_WORDS = 1024
// The bytes `kote` and the version of the format. On a machine with another order of bytes it is another number.
const MAGIC = 0x6b6f74650003

/** The bytes of a segment's file. */
export function segmentBytes(segment: CatalogueSegment): Uint8Array {
  const counts = SECTIONS.map(it => segment[it].length)
  const words = counts.reduce((sum, it) => sum + it, 0)
  const body = new Uint32Array(words + pagesOf(words))
  let first = 0
  for (const it of SECTIONS) {
    body.set(segment[it], first)
    first += segment[it].length
  }
  for (let page = 0; page < pagesOf(words); page++) body[words + page] = pageSum(body.subarray(0, words), page)
  const { from, to, linesBefore, tail, times } = segment
  const timeMin = times.reduce((a, b) => Math.min(a, b), Infinity)
  const timeMax = times.reduce((a, b) => Math.max(a, b), 0)
  const numbers = [MAGIC, from, to, linesBefore, tail, timeMin, timeMax, ...counts, hashOfWords(body.subarray(words))]
  const head = Float64Array.from([...numbers, 0, 0])
  head[HEAD_NUMBERS - 1] = headSum(head)
  return Buffer.concat([new Uint8Array(head.buffer), new Uint8Array(body.buffer)])
}

/** Reads the beginning of a segment's file; null when it is damaged, or of another format. */
export function readSegmentHead(bytes: Uint8Array): SegmentHead | null {
  if (bytes.length < HEAD_BYTES) return null
  const head = new Float64Array(new Uint8Array(bytes.subarray(0, HEAD_BYTES)).buffer)
  if (head[0] !== MAGIC || head[HEAD_NUMBERS - 1] !== headSum(head)) return null
  const [, from = 0, to = 0, linesBefore = 0, tail = 0, timeMin = 0, timeMax = 0, ...rest] = head
  let words = 0
  const sections = SECTIONS.map((name, n) => {
    const section = { first: words, count: rest[n] ?? 0 }
    words += section.count
    return [name, section] as const
  })
  const sumOfSums = rest[SECTIONS.length] ?? 0
  return {
    from,
    to,
    linesBefore,
    tail,
    timeMin,
    timeMax,
    words,
    sumOfSums,
    sections: Object.fromEntries(sections) as SegmentHead['sections'],
  }
}

function headSum(head: Float64Array): number {
  return hashOfWords(new Uint32Array(head.buffer, 0, (HEAD_NUMBERS - 1) * 2))
}

/** How many pages some words are. */
export function pagesOf(words: number): number {
  return Math.ceil(words / PAGE_WORDS)
}

/** The checksum of a page of words; the last page may be shorter. */
export function pageSum(words: Uint32Array, page: number): number {
  return hashOfWords(words.subarray(page * PAGE_WORDS, (page + 1) * PAGE_WORDS))
}
