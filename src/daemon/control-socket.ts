import { randomUUID } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { isWithin } from '../io/files/real-path.ts'
import { serveSocket } from '../io/process/socket.ts'
import { KotefError } from '../findings/failure.ts'
import { shellQuoted } from '../text/printable.ts'
import {
  readDaemonAddress,
  removeDaemonAddress,
  daemonSocketPath,
  writeDaemonAddress,
} from '../daemon-client/daemon-address.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { VERSION } from '../io/files/package.ts'

/** What a daemon can be asked over its socket. */
export type ControlHandlers = {
  status(): unknown
  /**
   * Tells whether everything written before the call is in the ledger, or what is in the way; without reconciliation,
   * whether all is that the watcher has told of.
   */
  flush(wish: FlushRequest): Promise<{ readonly flushed: boolean; readonly problem?: string }>
  stop(): void
  /** Hands every record on to a listener until it leaves. */
  listen(listener: (record: unknown) => void, gone: AbortSignal): Promise<void>
}

/** How long to wait at most, and whether git is asked as well for what the watcher may have missed. */
export type FlushRequest = { readonly timeoutMs: number; readonly reconcile: boolean }

/** Opens the socket and writes down where it is. Whoever can't read that file has no token, and gets no answer. */
export async function openControlSocket(workspace: Workspace, handlers: ControlHandlers): Promise<AsyncDisposable> {
  const token = randomUUID()
  const socket = daemonSocketPath(workspace)
  await prepareSocketFolder(workspace, socket)
  const server = await serveSocket(socket, async (request, reply, gone) => {
    const question = requestShape.safeParse(request).data
    if (question?.token !== token) return reply({ error: { code: 'usage', message: 'not a question with this token' } })
    if (question.ask === 'status') return reply(handlers.status())
    if (question.ask === 'flush') return reply(await handlers.flush(question))
    if (question.ask === 'events') return handlers.listen(reply, gone)
    reply({ stopping: true })
    handlers.stop()
  })
  const since = new Date(workspace.clock.now()).toISOString()
  await writeDaemonAddress(workspace, { pid: workspace.clock.pid, socket, token, version: VERSION, since })
  return {
    async [Symbol.asyncDispose]() {
      // Where the git directory was replaced, another daemon may have written down its own by now.
      if ((await readDaemonAddress(workspace))?.token === token) await removeDaemonAddress(workspace)
      await server[Symbol.asyncDispose]()
    },
  }
}

// A socket that does not fit into the git directory lies where everybody may make folders, under any name.
async function prepareSocketFolder({ files, gitDir }: Workspace, socket: string): Promise<void> {
  const folder = dirname(socket)
  if (process.platform === 'win32' || isWithin(gitDir, socket)) return
  await files.privateFolder(folder)
  const { uid } = await lstat(folder)
  if (uid === process.geteuid?.()) return
  throw new KotefError('daemon-failed', `${folder} belongs to somebody else: no socket is opened there.`, {
    hint: `Have it removed: \`rm -r ${shellQuoted(folder)}\``,
  })
}

const requestShape = z.object({
  token: z.string(),
  ask: z.enum(['status', 'flush', 'stop', 'events']),
  timeoutMs: z.number().positive().max(600_000).default(10_000),
  reconcile: z.boolean().default(true),
})
