import { homedir } from 'node:os'
import { resolve } from 'node:path'

/** The folder that a shell goes to by a name, from a folder. */
export function folderFrom(from: string, name: string): string {
  return resolve(from, name.replace(/^~(?=\/|$)/, homedir()))
}
