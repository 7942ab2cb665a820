import { readSync } from 'node:fs'
import { systemErrorCode } from '../files/files.ts'

/** All of stdin as text. Reads synchronously while there is input: a stream is slow to set up. */
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
    // The writer has not written yet, so the rest is read as a stream.
    if (code === 'EAGAIN') for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    else if (code !== 'EOF') throw thrown
  }
  return Buffer.concat(chunks).toString('utf8')
}

const CHUNK_BYTES = 65_536
