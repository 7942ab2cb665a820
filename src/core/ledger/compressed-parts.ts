// A ledger that has grown has its beginning in compressed parts. Its file then begins with a mark, which does not count
// as a line: with the parts in the mark's place, the ledger is byte for byte what it was.

/** Lines of a ledger that have a file of their own: its bytes from one offset up to another, before compression. */
export type CompressedPart = { readonly from: number; readonly to: number }

/** The last part of a ledger, up to which its bytes are in parts, and how long the mark is that says so. */
export type CompressedBeginning = { readonly last: CompressedPart; readonly markBytes: number }

/** Reads the mark at the beginning of a ledger's file, of which the first bytes are enough; null without one. */
export function compressedBeginning(firstBytes: Buffer): CompressedBeginning | null {
  const line = firstBytes.toString('latin1', 0, firstBytes.indexOf(LF) + 1)
  const [, from, to] = MARK.exec(line) ?? []
  const last = { from: Number(from), to: Number(to) }
  return last.from < last.to ? { last, markBytes: line.length } : null
}

/** More bytes than a mark has. */
export const MARK_BYTES_MAX = 1_024
// In a name that stands in a record, the quotes would be escaped.
const MARK = /"event":"ledger-compressed","last":{"from":(\d{1,15}),"to":(\d{1,15})},/
const LF = 0x0a

/** The name of a part's file. */
export function partName({ from, to }: CompressedPart): string {
  return `${from}-${to}.jsonl.gz`
}

/** A part, and whether its file is there. */
export type ListedPart = CompressedPart & { readonly isThere: boolean }

/** The parts that hold the first bytes of a ledger, in order, by the names in their folder. */
export function partsUpTo(bytes: number, names: readonly string[]): ListedPart[] {
  const row: ListedPart[] = []
  let at = 0
  const skipTo = (to: number): void => {
    for (; at < to; at = row.at(-1)?.to ?? to)
      row.push({ from: at, to: Math.min(at + MISSING_BYTES_MAX, to), isThere: false })
  }
  const named = names
    .map(partOf)
    .filter(it => it !== null)
    .filter(it => it.to <= bytes)
  for (const part of named.sort((a, b) => a.from - b.from)) {
    if (part.from < at) continue
    skipTo(part.from)
    row.push({ ...part, isThere: true })
    at = part.to
  }
  skipTo(bytes)
  return row
}

// What is missing is read as lines of spaces, which are in memory.
const MISSING_BYTES_MAX = 4 * 2 ** 20

function partOf(name: string): CompressedPart | null {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})\.jsonl\.gz$/.exec(name) ?? []
  return Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : null
}

/** A line as long as a part that can't be read, so that the lines after it stay in their places. */
export function unreadablePart(part: CompressedPart): Buffer {
  const bytes = Buffer.alloc(part.to - part.from, ' ')
  bytes.write(`${partName(part)} can't be read`)
  bytes.set([LF], bytes.length - 1)
  return bytes
}
