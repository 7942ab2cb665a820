import { readSync } from 'node:fs'
import { systemErrorCode } from '../files/files.ts'

/** All that comes in on stdin, as text. At once where that can be had: streams take their time to set up. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for (const buffer = Buffer.alloc(CHUNK_BYTES); ;) {
      const length = readSync(0, buffer)
      if (length === 0) break
      chunks.push(Buffer.from(buffer.subarray(0, length)))
    }
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    // Who writes has not come that far yet.
    if (code === 'EAGAIN') for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    else if (code !== 'EOF') throw thrown
  }
  return Buffer.concat(chunks).toString('utf8')
}

const CHUNK_BYTES = 65_536
