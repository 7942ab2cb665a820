import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { blobOid } from '../../../core/git/blob-oid.ts'
import { systemErrorCode } from './files.ts'
import { blobOidOfOpenFile } from './hash-file.ts'

/** A file of the worktree: its content on disk, and its mode as git's six octal digits. */
export type FileState = {
  readonly mode: '100644' | '100755' | '120000'
  /** The blob oid of the bytes. */
  readonly oid: string
  /** Null for a file that is too large to hold in memory. */
  readonly bytes: Buffer | null
  /** The time of the last write, in milliseconds since 1970. Any program can set it. */
  readonly modifiedAt: number
  /** The time when content, name or permissions last changed, in milliseconds since 1970. No program can set it. */
  readonly changedAt: number
  /** Differs after every change of the file: size, times, inode and mode. */
  readonly signature: string
}

/** Why a file was not read: it changed during the read (`torn`), the system refused, or it is huge (`unreadable`). */
export type UnreadableFile = { readonly unread: 'torn' } | { readonly unread: 'unreadable'; readonly why: string }

/** Reads a file, or the target's name of a symlink; null when there is neither. Never throws. */
export async function readFileState(path: string): Promise<FileState | null | UnreadableFile> {
  try {
    return await readStateOrThrow(path)
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ELOOP') return { unread: 'torn' }
    return { unread: 'unreadable', why: code ?? String(thrown) }
  }
}

async function readStateOrThrow(path: string): Promise<FileState | null | UnreadableFile> {
  const before = await lstat(path)
  if (before.isSymbolicLink()) return fileStateOf(before, '120000', hashBytes(Buffer.from(await readlink(path))))
  if (!before.isFile()) return null
  if (before.size > HASHED_BYTES_MAX) return { unread: 'unreadable', why: 'it is larger than 4 GiB' }
  // The path may have changed since: a symlink must not lead out of the tree, and a pipe must not block.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const content = before.size > BYTES_IN_MEMORY_MAX ? hashLarge(file, before.size) : file.readFile().then(hashBytes)
  const read = await content.finally(() => file.close())
  const after = await lstat(path)
  if (signatureOf(before) !== signatureOf(after)) return { unread: 'torn' }
  return fileStateOf(after, after.mode & 0o100 ? '100755' : '100644', read)
}

// A larger file is hashed in pieces, and never diffed: hashing so much at once keeps all others waiting for 30 ms.
const BYTES_IN_MEMORY_MAX = 32 * 1_048_576

// A sparse file of a terabyte would keep everybody waiting for half an hour. Few servers take blobs of this size.
const HASHED_BYTES_MAX = 4_294_967_296

async function hashLarge(file: FileHandle, size: number): Promise<FileContent> {
  return { oid: await blobOidOfOpenFile(file, size), bytes: null }
}

type FileContent = Pick<FileState, 'oid' | 'bytes'>

function hashBytes(bytes: Buffer): FileContent {
  return { oid: blobOid(bytes), bytes }
}

/** Says of paths below a folder whether the folder that they are in is gone, with one look at each folder. */
export function goneFolders(root: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  const look = async (folder: string): Promise<boolean> =>
    (await isGone(dirname(folder))) || (await lstat(join(root, folder)).catch(systemErrorCode)) === 'ENOENT'
  const isGone = (folder: string): Promise<boolean> => {
    if (folder === '.') return Promise.resolve(false)
    const answer = known.get(folder) ?? look(folder)
    known.set(folder, answer)
    return answer
  }
  return path => isGone(dirname(path))
}

/** The signature of a file or symlink, or null when there is neither. Equal signatures mean an unchanged file. */
export async function readSignature(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null)
  return stat && !stat.isDirectory() ? signatureOf(stat) : null
}

/** Size, time and signature of a file or symlink, without reading it; null when there is neither. */
export async function readStatSummary(
  path: string,
): Promise<{ readonly bytes: number; readonly modifiedAt: number; readonly signature: string } | null> {
  const stat = await lstat(path).catch(() => null)
  if (!stat?.isFile() && !stat?.isSymbolicLink()) return null
  return { bytes: stat.size, modifiedAt: stat.mtimeMs, signature: signatureOf(stat) }
}

function fileStateOf(stat: Stats, mode: FileState['mode'], content: FileContent): FileState {
  return { mode, ...content, modifiedAt: stat.mtimeMs, changedAt: stat.ctimeMs, signature: signatureOf(stat) }
}

/** The `changedAt` that a signature contains, in milliseconds since 1970. */
export function changedAtFromSignature(signature: string): number {
  return Number(signature.split(' ')[2])
}

/** The file's size in bytes that a signature contains. */
export function bytesFromSignature(signature: string): number {
  return Number(signature.split(' ')[0])
}

function signatureOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`
}

/** Identifies the file or folder at a path, independent of its content; null when there is none. */
export async function fileIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  // The birth time is part of it: the system reuses an inode number as soon as its folder is removed.
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
