const LF = 0x0a

/** The lines of a stream without their LF, in the batches in which they arrive. A last line needs no LF. */
export async function* streamLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[], void> {
  let rest: Buffer[] = []
  for await (const chunk of stream) {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end)
      lines.push(rest.length > 0 ? Buffer.concat([...rest, part]) : part)
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
    yield lines
  }
  if (rest.length > 0) yield [Buffer.concat(rest)]
}
