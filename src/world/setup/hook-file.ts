import { access, constants, lstat, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk, renameWhenWritten } from '../io/files/files.ts'
import { readRegularFile } from '../io/files/regular-file.ts'

/** A hook file on disk. The text is latin1, which keeps every byte, and null for an unreadable file. */
export type HookFile = { readonly text: string | null; readonly isLink: boolean; readonly isExecutable: boolean }

/** Reads a hook file; null when there is none. */
export async function readHookFile(path: string): Promise<HookFile | null> {
  const found = await lstat(path).catch(() => null)
  if (!found) return null
  const text = (await readRegularFile(path).catch(() => null))?.toString('latin1') ?? null
  return { text, isLink: found.isSymbolicLink(), isExecutable: await isExecutable(path) }
}

/** True when this user may run a file. */
export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Writes a hook file in one step. It keeps its permissions; a new file is executable for all users. */
export async function writeHookFile(path: string, text: string): Promise<void> {
  const mode = (await stat(path).catch(() => null))?.mode ?? 0o755
  const temporary = `${path}.kotef-new`
  await mkdir(dirname(path), { recursive: true })
  const file = await open(temporary, 'w')
  await renameWhenWritten(file, { temporary, path }, async () => {
    await file.writeFile(text, 'latin1')
    await file.chmod(mode & 0o7777)
    // A crash must not leave an empty file in place of the user's hook.
    await syncToDisk(file)
  })
}

/** True when a file can be written in this folder, or the folder can be made. */
export async function isFolderWritable(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (!found) return dirname(folder) !== folder && isFolderWritable(dirname(folder))
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => found.isDirectory(),
    () => false,
  )
}

/** Renames a hook file. A symlink stays a symlink. */
export function moveHookFile(from: string, to: string): Promise<void> {
  return rename(from, to)
}
