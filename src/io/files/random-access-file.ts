import { open } from 'node:fs/promises'
import { systemErrorCode } from './files.ts'
import { readFully } from './read-fully.ts'

/** A file that is read here and there, and never whole: it may be larger than what memory holds. */
export type RandomAccessFile = AsyncDisposable & {
  /** Its size when it was opened. */
  readonly size: number
  /** The bytes from one place up to another; fewer if the file ends before. */
  read(from: number, to: number): Promise<Buffer>
}

/** Opens a file to read in it; null when there is none. */
export async function openRandomAccessFile(path: string): Promise<RandomAccessFile | null> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT' || systemErrorCode(thrown) === 'ENOTDIR') return null
    throw thrown
  })
  if (!file) return null
  const { size } = await file.stat()
  return { size, read: (from, to) => readFully(file, from, to), [Symbol.asyncDispose]: () => file.close() }
}
