import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'
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
    const stat = await file.stat()
    refuseLarger(path, stat, bytesMax)
    // A file of the system, as in /proc, does not say its size; in an archive of Yarn's no handle reads to the end.
    return await (stat.size === 0 ? file.readFile() : readFully(file, [0, stat.size]))
  } finally {
    await file.close()
  }
}

/** The bytes of an open file from one offset up to another; fewer if it ends before. */
export async function readFully(
  file: FileHandle,
  [from, to]: readonly [from: number, to: number],
  into?: Buffer,
): Promise<Buffer> {
  const length = Math.max(0, to - from)
  const bytes = into && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafe(length)
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

type SyncOptions = {
  readonly bytesMax?: number | undefined
  readonly flags?: number
  readonly isFit?: (stat: Stats) => boolean
}

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

/** The last bytes of a regular file, at most so many. Throws as `openRegularFile`. */
export function readEndSync(path: string, bytesMax: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | OPEN_AT_ONCE)
  try {
    const stat = fstatSync(file)
    refuseIrregular(path, stat)
    const bytes = Buffer.alloc(Math.min(stat.size, bytesMax))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, stat.size - bytes.length))
  } finally {
    closeSync(file)
  }
}

/** Opens a regular file to read. Throws EISDIR for a folder, and EFTYPE for a pipe, a device or a socket. */
export function openRegularFile(path: string): Promise<FileHandle> {
  return openFit(path, constants.O_RDONLY)
}

/** Opens a regular file to append to it, and makes it if there is none. Throws as `openRegularFile`. */
export function openToAppend(path: string, { creates = true } = {}): Promise<FileHandle> {
  return openFit(path, constants.O_APPEND | constants.O_WRONLY | (creates ? constants.O_CREAT : 0))
}

async function openFit(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | OPEN_AT_ONCE, 0o600)
  try {
    refuseIrregular(path, await file.stat())
    return file
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

/** Throws for anything that is not a regular file. */
function refuseIrregular(path: string, stat: Stats): void {
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
