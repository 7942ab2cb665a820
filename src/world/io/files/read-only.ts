import { type Files, systemErrorCode } from './files.ts'

/** Writes what can be made again; false where this process may write nothing. Any other failure is thrown. */
export async function writeIfAllowed(write: () => Promise<unknown>): Promise<boolean> {
  const refused = (thrown: unknown): boolean => {
    if (!REFUSALS.has(systemErrorCode(thrown) ?? '')) throw thrown
    return false
  }
  return write().then(() => true, refused)
}

// ENOENT is what Node says of a folder that it can't make, with those above it, on a file system without writes.
const REFUSALS: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT'])

/** The files of a disk, but what is put stays in memory. */
export function filesPutInMemory(files: Files): Files {
  const kept = new Map<string, Buffer>()
  return {
    ...files,
    read: async (path, bytesMax) => kept.get(path) ?? files.read(path, bytesMax),
    put: async (path, bytes) => void kept.set(path, Buffer.from(bytes)),
  }
}
