import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { isWithin } from '../files/real-path.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import { ownPath } from '../worktree/layout.ts'
import type { GitDirAccess, Workspace } from '../worktree/workspace.ts'

/** The programs that listen on a socket of a worktree. */
export type SocketOwner = 'daemon' | 'ui'

/** The path of a program's socket. It is short, because systems cut socket paths at about 104 bytes. */
export function localSocketPath(access: GitDirAccess, owner: SocketOwner): string {
  const hash = createHash('sha256').update(access.gitDir).digest('hex').slice(0, 16)
  const name = owner === 'daemon' ? hash : `${hash}-${owner}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\kotef-${name}`
  const shortFolders = [tmpdir(), '/tmp'].map(it => join(it, `kotef-${userInfo().uid}`, `${name}.sock`))
  const candidates = [ownPath(access, `${owner}.sock`), ...shortFolders]
  return candidates.find(it => Buffer.byteLength(it) < SOCKET_PATH_BYTES_MAX) ?? ''
}

const SOCKET_PATH_BYTES_MAX = 100

/**
 * Makes the folder of a socket. One whose path in the git directory is too long is in a temporary folder, where any
 * user may create this folder.
 */
export async function prepareSocketFolder({ files, gitDir }: Workspace, socket: string): Promise<void> {
  const folder = dirname(socket)
  if (process.platform === 'win32' || isWithin(gitDir, socket)) return
  await files.privateFolder(folder)
  const { uid } = await lstat(folder)
  if (uid === process.geteuid?.()) return
  throw new KotefError('daemon-failed', `${folder} belongs to another user: kotef opens no socket there.`, {
    hint: `Ask its owner to remove it: \`rm -r ${shellQuoted(folder)}\``,
  })
}
