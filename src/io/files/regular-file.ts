import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

// In the place of a file may stand a pipe, where a reader waits for ever, or a device that never ends.

// The most bytes of a file that governs, and of any file whose reader expects no more.
const FILE_BYTES_MAX = 1_048_576

/** The most bytes of a file that kotef or git writes and that grows with the repository. */
export const LARGE_FILE_BYTES_MAX = 256 * 1_048_576

/** Opening a pipe does not wait, and a terminal does not become this process's own. */
export const OPEN_AT_ONCE = constants.O_NONBLOCK | constants.O_NOCTTY

/** The bytes of a regular file. Throws as `openRegularFile`, and EFBIG for a file above the bound. */
export async function readRegularFile(path: string, bytesMax = FILE_BYTES_MAX): Promise<Buffer> {
  const file = await openRegularFile(path)
  try {
    refuseLarger(path, await file.stat(), bytesMax)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

type SyncOptions = { readonly bytesMax?: number; readonly flags?: number; readonly isFit?: (stat: Stats) => boolean }

/** The same without a promise. Null for a file that is not fit; `flags` are more flags to open it with. */
export function readRegularFileSync(path: string, options: SyncOptions = {}): Buffer | null {
  const { bytesMax = FILE_BYTES_MAX, flags = 0, isFit = () => true } = options
  const file = openSync(path, constants.O_RDONLY | OPEN_AT_ONCE | flags)
  try {
    const stat = fstatSync(file)
    refuseIrregular(path, stat)
    refuseLarger(path, stat, bytesMax)
    return isFit(stat) ? readFileSync(file) : null
  } finally {
    closeSync(file)
  }
}

/** Opens a regular file to read. Throws EISDIR for a folder, and EFTYPE for a pipe, a device or a socket. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | OPEN_AT_ONCE)
  try {
    refuseIrregular(path, await file.stat())
    return file
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

/** Throws for anything that is not a regular file. */
export function refuseIrregular(path: string, stat: Stats): void {
  if (stat.isDirectory()) throw new UnfitFile('EISDIR', 'is a directory', path)
  if (!stat.isFile()) throw new UnfitFile('EFTYPE', 'is not a regular file', path)
}

function refuseLarger(path: string, { size }: Stats, bytesMax: number): void {
  if (size > bytesMax) throw new UnfitFile('EFBIG', `is larger than ${bytesMax} bytes`, path)
}

class UnfitFile extends Error {
  readonly code: string
  constructor(code: string, what: string, path: string) {
    super(`${code}: ${path} ${what}`)
    this.code = code
  }
}
