import { stat } from 'node:fs/promises'

/** Which file or folder stands at a path, whatever becomes of its content; null when there is none. */
export async function fileIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  // A number is given to the next folder as soon as its own is removed.
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
