import type { CatalogueSegment, SegmentSections } from '../../core/ledger/catalogue-segment.ts'
import { hashOfWords } from '../../core/ledger/key-hash.ts'
import {
  HEAD_BYTES,
  PAGE_WORDS,
  pagesOf,
  pageSum,
  readSegmentHead,
  type SectionName,
  type SegmentHead,
} from '../../core/ledger/segment-bytes.ts'

/** A segment of the catalogue, of which parts are read and checked when they are needed. */
export type OpenSegment = SegmentHead & {
  /** Some words of a section, all of them by default. Throws a `SegmentDamage` when they are not what was written. */
  section(name: SectionName, from?: number, to?: number): Promise<Uint32Array>
}

/** A segment's file is not what was written, or another process has removed it since. */
export class SegmentDamage extends Error {}

type ReadBytes = (from: number, to: number) => Promise<Buffer>

/** Opens a segment whose file is read by `read`; null when the file is damaged or of another format. */
export async function openSegment(readBytes: ReadBytes): Promise<OpenSegment | null> {
  const read: ReadBytes = (from, to) =>
    readBytes(from, to).catch((cause: unknown) => {
      throw new SegmentDamage("A segment of the catalogue can't be read.", { cause })
    })
  // A small segment is read at once.
  const beginning = await read(0, BEGINNING_BYTES)
  const head = readSegmentHead(beginning)
  if (!head) return null
  const readWords = async (from: number, to: number): Promise<Uint32Array> => {
    const first = HEAD_BYTES + from * 4
    const last = HEAD_BYTES + to * 4
    const bytes = last <= beginning.length ? beginning.subarray(first, last) : await read(first, last)
    if (bytes.length < last - first) throw new SegmentDamage('A segment of the catalogue is shorter than it was.')
    return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  }
  let sums: Promise<Uint32Array> | null = null
  return {
    ...head,
    async section(name, from = 0, to = head.sections[name].count) {
      const { first } = head.sections[name]
      if (to <= from) return new Uint32Array()
      sums ??= readSums(head, readWords)
      return readPages(head, { readWords, sums: await sums }, [first + from, first + to])
    },
  }
}

const BEGINNING_BYTES = 16_384

type ReadWords = (from: number, to: number) => Promise<Uint32Array>

async function readSums({ words, sumOfSums }: SegmentHead, readWords: ReadWords): Promise<Uint32Array> {
  const sums = await readWords(words, words + pagesOf(words))
  if (hashOfWords(sums) !== sumOfSums) throw new SegmentDamage('A segment of the catalogue has other checksums.')
  return sums
}

/** The words from one on up to another. The pages that have them are read and checked. */
async function readPages(
  { words }: SegmentHead,
  { readWords, sums }: { readWords: ReadWords; sums: Uint32Array },
  [from, to]: readonly [number, number],
): Promise<Uint32Array> {
  const firstPage = Math.floor(from / PAGE_WORDS)
  const first = firstPage * PAGE_WORDS
  const pages = await readWords(first, Math.min(words, pagesOf(to) * PAGE_WORDS))
  for (let page = 0; page < pagesOf(pages.length); page++)
    if (pageSum(pages, page) !== sums[firstPage + page])
      throw new SegmentDamage('A segment of the catalogue is damaged.')
  return pages.subarray(from - first, to - first)
}

/** All of a segment. */
export async function loadSegment(segment: OpenSegment): Promise<CatalogueSegment> {
  const names = Object.keys(segment.sections) as SectionName[]
  const sections = await Promise.all(names.map(async name => [name, await segment.section(name)] as const))
  const { from, to, linesBefore, tail } = segment
  return { from, to, linesBefore, tail, ...(Object.fromEntries(sections) as SegmentSections) }
}
