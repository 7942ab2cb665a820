import { gunzip } from 'node:zlib'
import type { Files } from '../io/files/files.ts'

// Loaded when a compressed part is read: agents' hooks seldom do, and zlib takes some milliseconds.

/** The bytes of a compressed file; null when there is none, or it has not the expected length. */
export async function gunzipFile(files: Pick<Files, 'open'>, path: string, length: number): Promise<Buffer | null> {
  await using file = await files.open(path).catch(() => null)
  const compressed = await file?.read(0, file.size).catch(() => null)
  if (!compressed) return null
  const bytes = await new Promise<Buffer | null>(settle => {
    gunzip(compressed, { maxOutputLength: length }, (error, content) => settle(error ? null : content))
  })
  return bytes?.length === length ? bytes : null
}
