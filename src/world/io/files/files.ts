import { fdatasync } from 'node:fs'
import { chmod, type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openRegularFile, openToAppend, readFully, readRegularFile } from './regular-file.ts'

/** What kotef needs of a disk. A test can make each method fail. Paths are absolute. */
export type Files = {
  /** The bytes of a regular file of at most `bytesMax`, or null when there is none. Any other failure is thrown. */
  read(path: string, bytesMax?: number): Promise<Buffer | null>
  /** At most `bytesMax` bytes from the end of a file, and its whole size; null when there is none. */
  readEnd(path: string, bytesMax: number): Promise<{ bytes: Buffer; size: number } | null>
  /** The bytes from one offset up to another, fewer if the file ends before; none when there is no file. */
  readAt(path: string, from: number, to: number): Promise<Buffer>
  /** Opens a regular file to read parts of it; null when there is none. */
  open(path: string): Promise<OpenFile | null>
  /** One write to an O_APPEND descriptor. A short write throws, and so does a missing file that may not be created. */
  append(
    path: string,
    bytes: Buffer,
    options?: { readonly creates?: boolean; readonly makesFolder?: boolean },
  ): Promise<void>
  /** Puts a file's data on the disk (fdatasync). */
  sync(path: string): Promise<void>
  /** Writes a temporary file beside it, syncs that, and renames it. A long text comes in pieces. */
  replace(path: string, bytes: Buffer | string | readonly string[], mode?: number): Promise<void>
  /** As `replace`, but without a sync, for content that can be made again. Mode 0600. */
  put(path: string, bytes: Buffer | string): Promise<void>
  /** What a path leads to, through symbolic links; null when there is nothing. Hard links have one identity. */
  stat(path: string): Promise<FileStat | null>
  /** Makes a hard link to a regular file, and its folder; false when the disk can't, or `to` exists. */
  link(path: string, to: string): Promise<boolean>
  /** Makes the folder of a file, and none above it. */
  parentFolder(path: string): Promise<void>
  /** Makes a folder that only this user may enter, and removes a file of that name. */
  privateFolder(path: string): Promise<void>
  /** Renames a file; does nothing when there is none. */
  move(from: string, to: string): Promise<void>
  list(directory: string): Promise<string[]>
  remove(path: string): Promise<void>
  /** As `remove`, but also removes a folder with its content. */
  clear(path: string): Promise<void>
  /** Milliseconds of the last modification, or null when there is no such file. */
  modifiedAt(path: string): Promise<number | null>
}

/** A file that is read in parts: it may be larger than memory. Another file may take its name meanwhile. */
export type OpenFile = AsyncDisposable & {
  /** Its size when it was opened. */
  readonly size: number
  /** The bytes from one offset up to another, in `into` if they fit there; fewer if the file ends before. */
  read(from: number, to: number, into?: Buffer): Promise<Buffer>
}

export type FileStat = { readonly identity: string; readonly size: number; readonly isFile: boolean }

export const disk: Files = {
  read: (path, bytesMax) => readRegularFile(path, bytesMax).catch(nullWhenAbsent),
  async readEnd(path, bytesMax) {
    const file = await openRegularFile(path).catch(nullWhenAbsent)
    if (!file) return null
    try {
      const { size } = await file.stat()
      const length = Math.min(size, bytesMax)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return { bytes: buffer.subarray(0, bytesRead), size }
    } finally {
      await file.close()
    }
  },
  async readAt(path, from, to) {
    const file = await openRegularFile(path).catch(nullWhenAbsent)
    if (!file) return Buffer.alloc(0)
    return readFully(file, [from, to]).finally(() => file.close())
  },
  async open(path) {
    const file = await openRegularFile(path).catch(nullWhenAbsent)
    if (!file) return null
    const { size } = await file.stat()
    return {
      size,
      read: (from, to, into) => readFully(file, [from, to], into),
      [Symbol.asyncDispose]: () => file.close(),
    }
  },
  async append(path, bytes, { creates = true, makesFolder = creates } = {}) {
    const begin = () => openToAppend(path, { creates })
    const file = await (makesFolder ? inFolder(() => makeParentFolder(path), begin) : begin())
    try {
      const { bytesWritten } = await file.write(bytes)
      if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`)
    } finally {
      await file.close()
    }
  },
  async sync(path) {
    const file = await open(path, 'r+')
    await syncToDisk(file).finally(() => file.close())
  },
  replace: (path, bytes, mode = 0o644) => putInPlace(path, bytes, { mode, durable: true }),
  put: (path, bytes) => putInPlace(path, bytes, { mode: 0o600, durable: false }),
  parentFolder: makeParentFolder,
  move: async (from, to) => {
    await rename(from, to).catch(nullWhenAbsent)
  },
  link: async (path, to) => {
    if (!(await lstat(path).catch(nullWhenAbsent))?.isFile()) return false
    const tryLink = () =>
      link(path, to).then(
        () => null,
        (thrown: unknown) => systemErrorCode(thrown) ?? 'EIO',
      )
    const failure = await tryLink()
    if (failure !== 'ENOENT') return failure === null
    await makeParentFolder(to).catch(() => {})
    return (await tryLink()) === null
  },
  stat: async path => {
    const found = await stat(path, { bigint: true }).catch(nullWhenAbsent)
    return found && { identity: `${found.dev} ${found.ino}`, size: Number(found.size), isFile: found.isFile() }
  },
  privateFolder: async path => {
    if ((await lstat(path).catch(nullWhenAbsent))?.isDirectory() === false) await rm(path)
    await makeFolders(path)
    await chmod(path, 0o700)
  },
  list: async directory => (await readdir(directory).catch(nullWhenAbsent)) ?? [],
  remove: path => rm(path, { force: true }),
  clear: path => rm(path, { force: true, recursive: true }),
  modifiedAt: async path => (await lstat(path).catch(nullWhenAbsent))?.mtimeMs ?? null,
}

/**
 * Makes the folder of a file, unless another process has made it meanwhile. Never the folders above it: a process that
 * is slow to notice must not recreate a worktree or git directory that was moved away.
 */
export async function makeParentFolder(path: string): Promise<void> {
  await mkdir(dirname(path)).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'EEXIST') throw thrown
  })
}

/** Makes a folder and those above it, but none in which kotef's own folder, or a hidden one, has to be. */
async function makeFolders(folder: string): Promise<void> {
  await inFolder(
    async () => {
      if (/^(?:\.|kotef$)/.test(basename(folder))) throw absentError(dirname(folder))
      await makeFolders(dirname(folder))
    },
    () => makeParentFolder(join(folder, 'file')),
  )
}

function absentError(path: string): Error {
  return Object.assign(new Error(`ENOENT: there is no folder ${path}`), { code: 'ENOENT' })
}

/** Does some work in a folder, which is nearly always there: it is made, and the work begun again, when it is not. */
export async function inFolder<T>(makeFolder: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return work().catch(async (thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
    await makeFolder()
    return work()
  })
}

async function putInPlace(
  path: string,
  bytes: Buffer | string | readonly string[],
  { mode, durable }: { mode: number; durable: boolean },
): Promise<void> {
  const temporary = `${path}.${process.pid}.${process.hrtime.bigint()}.tmp`
  const file = await inFolder(
    () => makeFolders(dirname(path)),
    () => open(temporary, 'wx', mode),
  )
  await renameWhenWritten(file, { temporary, path }, async () => {
    for (const piece of Array.isArray(bytes) ? bytes : [bytes]) await file.writeFile(piece as Buffer | string)
    if (durable) await syncToDisk(file)
  })
}

/** Renames a temporary file once it is written and closed; removes it when a step fails. */
export async function renameWhenWritten(
  file: FileHandle,
  { temporary, path }: { temporary: string; path: string },
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write().finally(() => file.close())
    await rename(temporary, path)
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => {})
    throw thrown
  }
}

/** Waits until written data is on the disk, by the descriptor: a FileHandle of Yarn's Plug'n'Play has no datasync. */
export function syncToDisk({ fd }: Pick<FileHandle, 'fd'>): Promise<void> {
  return promisify(fdatasync)(fd)
}

/** Null for the error that there is no such file; any other error is thrown. */
export function nullWhenAbsent(thrown: unknown): null {
  if (systemErrorCode(thrown) === 'ENOENT' || systemErrorCode(thrown) === 'ENOTDIR') return null
  throw thrown
}

/** The system's code of an error, such as ENOENT; null for any other error. */
export function systemErrorCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
}
