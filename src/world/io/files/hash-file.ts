import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { openRegularFile, readFully } from './regular-file.ts'

/** The blob oid (SHA-1) of a regular file, of as many bytes as its stat has shown. Throws as `openRegularFile`. */
export async function blobOidOfFile(path: string, size: number): Promise<string> {
  const file = await openRegularFile(path)
  return blobOidOfOpenFile(file, size).finally(() => file.close())
}

/** The same for a file that is open already. */
export async function blobOidOfOpenFile(file: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha1').update(`blob ${size}\0`)
  const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
  for (let from = 0; from < size; from += PIECE_BYTES)
    hash.update(await readFully(file, [from, Math.min(size, from + PIECE_BYTES)], piece))
  return hash.digest('hex')
}

const PIECE_BYTES = 1_048_576
