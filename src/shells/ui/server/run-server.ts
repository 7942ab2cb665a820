import { mkdir } from 'node:fs/promises'
import { localSocketPath, prepareSocketFolder } from '../../../world/io/daemon-client/local-socket.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { VERSION } from '../../../world/io/files/package.ts'
import { serveSocket } from '../../../world/io/process/socket.ts'
import { objectOrNull } from '../../../core/base/payload.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import { guardWorktree } from '../../../world/io/worktree/worktree-guard.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type PageServer, servePages } from './serve-pages.ts'
import {
  keptPageKey,
  removeServerAddress,
  type ServerAddress,
  usualPort,
  writeServerAddress,
} from './server-address.ts'

/** A server that listens, and can be asked and stopped over its socket. */
export type RunningPages = AsyncDisposable & { readonly address: ServerAddress }

// Another program may have the port; any other failure is one at every port.
const elsewhere = (serveAt: (port: number) => Promise<PageServer>) => (thrown: unknown) => {
  if (thrown instanceof KotefError && thrown.code === 'port-taken') return serveAt(0)
  throw thrown
}

/**
 * Serves the pages of a worktree, and saves where. Port 0 stands for the worktree's usual one or, where that is taken,
 * for any. `end` is called when the server is no longer wanted.
 */
export async function runServer(workspace: Workspace, port: number, end: () => void): Promise<RunningPages> {
  await mkdir(ownPath(workspace), { recursive: true })
  const key = await keptPageKey(workspace)
  const serveAt = (at: number) => servePages(workspace, { port: at, key, unused: end })
  const pages = await (port === 0 ? serveAt(usualPort(workspace)).catch(elsewhere(serveAt)) : serveAt(port))
  const socket = localSocketPath(workspace, 'ui')
  await prepareSocketFolder(workspace, socket)
  const { url, door } = pages
  const address = { url, port: door.port, socket, token: door.token, version: VERSION, pid: workspace.clock.pid }
  const control = await serveSocket(socket, async (request, reply) => {
    const { token, ask } = objectOrNull(request) ?? {}
    if (token !== door.token) return
    reply({ pid: address.pid, version: VERSION, stopping: ask === 'stop' })
    if (ask === 'stop') end()
  })
  await writeServerAddress(workspace, address)
  const guard = await guardWorktree(workspace, null, end)
  void guard.loss.then(end)
  return {
    address,
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]()
      await removeServerAddress(workspace, address)
      await control[Symbol.asyncDispose]()
      await pages[Symbol.asyncDispose]()
    },
  }
}
