import { readPrivateFile } from '../../../world/io/files/private-file.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import type { GitDirAccess } from '../../../world/io/worktree/workspace.ts'

/** How to reach a worktree's server of pages: `<git-dir>/kotef/ui.json`, mode 0600. */
export type ServerAddress = {
  readonly pid: number
  readonly url: string
  readonly port: number
  /** Where it is asked and stopped; `token` is sent with every question. */
  readonly socket: string
  readonly token: string
  readonly version: string
}

/** The saved address; null when its file is absent or damaged, or another user could have written it. */
export function readServerAddress(access: GitDirAccess): ServerAddress | null {
  const saved = { ...parseObject(readPrivateFile(addressPath(access)) ?? '') } as ServerAddress
  const areTexts = [saved.url, saved.socket, saved.token, saved.version].every(it => typeof it === 'string')
  return areTexts && [saved.pid, saved.port].every(Number.isInteger) ? saved : null
}

/** Saves the address of this server. */
export function writeServerAddress(access: GitDirAccess, address: ServerAddress): Promise<void> {
  return access.files.replace(addressPath(access), JSON.stringify(address), 0o600)
}

/** Removes the address of a server that has ended, unless another one has saved its own. */
export async function removeServerAddress(
  access: GitDirAccess,
  { token }: Pick<ServerAddress, 'token'>,
): Promise<void> {
  if (readServerAddress(access)?.token === token) await access.files.remove(addressPath(access))
}

function addressPath(access: GitDirAccess): string {
  return ownPath(access, 'ui.json')
}
