import { mkdir } from 'node:fs/promises'
import { withLock } from '../../../world/io/files/lock.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import { askSocket } from '../../../world/io/process/socket.ts'
import { objectOrNull } from '../../../core/base/payload.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askPageProgram } from './page-program.ts'
import { readServerAddress, type ServerAddress } from './server-address.ts'

/** A server of this worktree. `isNew` is false when it was running before. */
export type FoundServer = Pick<ServerAddress, 'url' | 'pid'> & { readonly isNew: boolean }

/** The server of this worktree: the one that runs, or a new one where its version or its port is another. */
export async function ensureServer(workspace: Workspace, port: number | null): Promise<FoundServer> {
  await mkdir(ownPath(workspace), { recursive: true })
  const ensure = async (): Promise<FoundServer> => {
    const running = await runningServer(workspace)
    const fits = running !== null && running.version === VERSION && (port ?? running.port) === running.port
    if (fits) return { url: running.url, pid: running.pid, isNew: false }
    if (running !== null) await stopServer(workspace)
    return { ...(await startServer(workspace, port ?? 0)), isNew: true }
  }
  return withLock(ownPath(workspace, 'ui.lock'), ensure, { waitMsMax: START_MS_MAX })
}

/** Stops the server of this worktree; its pid, or null when none was running. */
export async function stopServer(workspace: Workspace): Promise<number | null> {
  const address = await runningServer(workspace)
  if (address === null) return null
  // The socket is closed when the server has ended.
  for await (const _ of askServer(address, 'stop')) await goneServer(address)
  return address.pid
}

async function goneServer(address: ServerAddress): Promise<void> {
  while (await answersAs(address)) await new Promise(resolve => setTimeout(resolve, POLL_MS))
}

/** The saved address when a server answers there as the one that saved it; its port may be another program's by now. */
async function runningServer(workspace: Workspace): Promise<ServerAddress | null> {
  const address = readServerAddress(workspace)
  return address !== null && (await answersAs(address)) ? address : null
}

async function answersAs(address: ServerAddress): Promise<boolean> {
  try {
    for await (const answer of askServer(address, 'status')) return objectOrNull(answer)?.['pid'] === address.pid
  } catch {
    // Nothing listens there.
  }
  return false
}

function askServer({ socket, token }: ServerAddress, ask: 'status' | 'stop'): AsyncGenerator<unknown> {
  return askSocket(socket, { token, ask }, ANSWER_MS_MAX)
}

const ANSWER_MS_MAX = 3_000
const START_MS_MAX = 20_000
const POLL_MS = 10

function startServer(workspace: Workspace, port: number): Promise<Pick<ServerAddress, 'url' | 'pid'>> {
  return askPageProgram(workspace, 'serve', String(port))
}
