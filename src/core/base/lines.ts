const LF = 0x0a
const CR = 0x0d

/** The lines of a text, as bytes, each without its ending: LF, CRLF, or the end of the text. */
export function byteLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  while (start < bytes.length) {
    const feed = bytes.indexOf(LF, start)
    const end = feed === -1 ? bytes.length : feed
    const bare = feed !== -1 && end > start && bytes[end - 1] === CR ? end - 1 : end
    lines.push(bytes.subarray(start, bare))
    start = end + 1
  }
  return lines
}

/** The lines of a text as git counts them, without their ends. */
export function textLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  // Git counts no line after the last end.
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return whole.map(it => (it.endsWith('\r') ? it.slice(0, -1) : it))
}

/** The texts in UTF-8 of which each ends with a NUL. */
export function* nulSeparated(bytes: Buffer): Generator<string, void> {
  for (let start = 0, end = 0; (end = bytes.indexOf(0, start)) !== -1; start = end + 1)
    yield bytes.toString('utf8', start, end)
}

/** A line without the white space (space, tab, CR, VT, FF) at its ends. */
export function trimLine(line: Uint8Array): Uint8Array {
  let start = 0
  let end = line.length
  while (start < end && isBlankByte(line[start])) start++
  while (end > start && isBlankByte(line[end - 1])) end--
  return line.subarray(start, end)
}

/** Git's own test for binary content: a NUL among the first 8,000 bytes (xdiff-interface.c). */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_000).includes(0)
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d && byte !== LF)
}
