/** The lines of a stream in UTF-8, without their LF. Throws for a line that is too long to be kept. */
export async function* linesOfStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let pieces: Buffer[] = []
  let size = 0
  const line = (end: Buffer): string => {
    const bytes = Buffer.concat([...pieces, end])
    ;[pieces, size] = [[], 0]
    return bytes.toString('utf8')
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let feed = chunk.indexOf(LF); feed !== -1; feed = chunk.indexOf(LF, start)) {
      yield line(chunk.subarray(start, feed))
      start = feed + 1
    }
    pieces.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > LINE_BYTES_MAX) throw new Error(`a line has more than ${LINE_BYTES_MAX} bytes`)
  }
  if (size > 0) yield line(Buffer.alloc(0))
}

const LF = 0x0a
const LINE_BYTES_MAX = 268_435_456
