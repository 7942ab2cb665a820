import { createHash, randomBytes } from 'node:crypto'
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

/**
 * The first part of every path of this worktree's pages. It is kept, with mode 0600, so that a bookmark lasts; alone it
 * lets nobody in, since each server has a token of its own.
 */
export async function keptPageKey(access: GitDirAccess): Promise<string> {
  const path = ownPath(access, 'ui-key')
  const kept = readPrivateFile(path)?.trim() ?? ''
  if (KEY.test(kept)) return kept
  const key = newSecret()
  await access.files.replace(path, `${key}\n`, 0o600)
  return key
}

/** A text that nobody guesses, for an address or a cookie. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

const KEY = /^[\w-]{32}$/

/** The port at which the pages of a worktree are served where it is free, so that a bookmark lasts. */
export function usualPort({ root }: { readonly root: string }): number {
  const hash = createHash('sha256').update(root).digest().readUInt32BE(0)
  return PORT_MIN + (hash % PORTS)
}

// Below the ports that systems give to connections, which are in use at any time.
const PORT_MIN = 20_000
const PORTS = 12_000

function addressPath(access: GitDirAccess): string {
  return ownPath(access, 'ui.json')
}
