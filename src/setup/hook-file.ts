import { access, constants, lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk, renameWhenWritten } from '../io/files/files.ts'

/** A hook file as it is on disk; the text is latin1, so that its bytes survive, and null where nobody may read it. */
export type HookFile = { readonly text: string | null; readonly isLink: boolean; readonly isExecutable: boolean }

/** Reads a hook file; null when there is none. */
export async function readHookFile(path: string): Promise<HookFile | null> {
  const found = await lstat(path).catch(() => null)
  if (!found) return null
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  const text = await readFile(path, 'latin1').catch(() => null)
  return { text, isLink: found.isSymbolicLink(), isExecutable }
}

/** Writes a hook file in one step; it keeps its permissions, and a new one can be run by everybody. */
export async function writeHookFile(path: string, text: string): Promise<void> {
  const mode = (await stat(path).catch(() => null))?.mode ?? 0o755
  const temporary = `${path}.kotef-new`
  await mkdir(dirname(path), { recursive: true })
  const file = await open(temporary, 'w')
  await renameWhenWritten(file, { temporary, path }, async () => {
    await file.writeFile(text, 'latin1')
    await file.chmod(mode & 0o7777)
    // A crash must not leave an empty hook in place of the user's.
    await syncToDisk(file)
  })
}

/** True when a file can be written in this folder, or the folder made. */
export async function isFolderWritable(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (!found) return dirname(folder) !== folder && isFolderWritable(dirname(folder))
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => found.isDirectory(),
    () => false,
  )
}

/** Gives a hook file another name; a symlink stays one. */
export function moveHookFile(from: string, to: string): Promise<void> {
  return rename(from, to)
}

/** Removes a hook file when it is there. */
export function removeHookFile(path: string): Promise<void> {
  return rm(path, { force: true })
}
