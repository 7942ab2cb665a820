import { fileURLToPath, pathToFileURL } from 'node:url'

/** The absolute path of a `file:` URI; null for any other URI, and for one that names no file here. */
export function pathOfUri(uri: unknown): string | null {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return null
  try {
    return fileURLToPath(uri)
  } catch {
    return null
  }
}

/** The URI of an absolute path. */
export function uriOfPath(path: string): string {
  return pathToFileURL(path).href
}
