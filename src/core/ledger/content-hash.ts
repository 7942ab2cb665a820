import { trimLine } from '../base/lines.ts'

/** The two hash functions that a range needs; see `src/world/io/files/hasher.ts` for the real ones. */
export type RangeHasher = { xxh64(bytes: Uint8Array): string; xxh32(bytes: Uint8Array): number }

const LF = new Uint8Array([0x0a])

/**
 * The hash of a range: `xxh64:` and 16 hex digits over its lines, each without its ending and followed by LF. The hash
 * does not depend on position, CRLF, or a missing final newline. Test vectors: docs/formats.md.
 */
export function contentHash(hasher: RangeHasher, lines: readonly Uint8Array[]): string {
  return `xxh64:${hasher.xxh64(Buffer.concat(lines.flatMap(line => [line, LF])))}`
}

/** xxh32 of each line without the white space at its ends: 4 bytes a line, big-endian, as base64url. */
export function lineHashes(hasher: RangeHasher, lines: readonly Uint8Array[]): string {
  const bytes = Buffer.alloc(lines.length * 4)
  lines.forEach((line, n) => bytes.writeUInt32BE(hasher.xxh32(trimLine(line)), n * 4))
  return bytes.toString('base64url')
}

/** The hashes of lines from the text that `lineHashes` makes. */
export function parseLineHashes(lineHashes: string): number[] {
  const bytes = Buffer.from(lineHashes, 'base64url')
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, n) => bytes.readUInt32BE(n * 4))
}
