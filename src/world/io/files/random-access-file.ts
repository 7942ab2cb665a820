import { nullWhenAbsent } from './files.ts'
import { readFully } from './regular-file.ts'
import { openRegularFile } from './regular-file.ts'

/** A file that is read in parts: it may be larger than memory. */
export type RandomAccessFile = AsyncDisposable & {
  readonly path: string
  /** Its size when it was opened. */
  readonly size: number
  /** The bytes from one offset up to another, in `into` if they fit there; fewer if the file ends before. */
  read(from: number, to: number, into?: Buffer): Promise<Buffer>
}

/** Opens a file to read parts of it; null when it does not exist. */
export async function openRandomAccessFile(path: string): Promise<RandomAccessFile | null> {
  const file = await openRegularFile(path).catch(nullWhenAbsent)
  if (!file) return null
  const { size } = await file.stat()
  return {
    path,
    size,
    read: (from, to, into) => readFully(file, [from, to], into),
    [Symbol.asyncDispose]: () => file.close(),
  }
}
