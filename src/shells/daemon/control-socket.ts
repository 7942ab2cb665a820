import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { serveSocket } from '../../world/io/process/socket.ts'
import { readDaemonAddress, removeDaemonAddress, writeDaemonAddress } from '../../world/io/daemon-client/ask-daemon.ts'
import { localSocketPath, prepareSocketFolder } from '../../world/io/daemon-client/local-socket.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { VERSION } from '../../world/io/files/package.ts'

/** The answers to the questions that a daemon gets over its socket. */
export type ControlHandlers = {
  readonly endsWhenIdle: boolean
  /** A client asked something. */
  asked(): void
  status(): unknown
  /**
   * Whether everything written before the call is in the ledger, or the problem that prevents it. Without
   * reconciliation, whether all changes are that the watcher has reported.
   */
  flush(request: FlushRequest): Promise<FlushAnswer>
  stop(): void
  /** Passes every record to a listener until it disconnects. */
  listen(listener: (record: unknown) => void, gone: AbortSignal): Promise<void>
}

/** Where not all was flushed in time: what prevents it, or whether the daemon went on with it meanwhile. */
export type FlushAnswer = { readonly flushed: boolean; readonly problem?: string; readonly working?: boolean }

/** The longest wait, and whether to find changes by git's status that the watcher may have missed. */
export type FlushRequest = { readonly timeoutMs: number; readonly reconcile: boolean }

/** Opens the socket and saves its address. A program that can't read that file has no token, and gets no answer. */
export async function openControlSocket(workspace: Workspace, handlers: ControlHandlers): Promise<AsyncDisposable> {
  const token = randomUUID()
  const socket = localSocketPath(workspace, 'daemon')
  await prepareSocketFolder(workspace, socket)
  const server = await serveSocket(socket, async (request, reply, gone) => {
    const question = requestShape.safeParse(request).data
    if (question?.token !== token) return reply({ error: { code: 'usage', message: 'not a question with this token' } })
    handlers.asked()
    if (question.ask === 'status') return reply(handlers.status())
    if (question.ask === 'flush') return reply(await handlers.flush(question))
    if (question.ask === 'events') return handlers.listen(reply, gone)
    reply({ stopping: true })
    handlers.stop()
  })
  const since = new Date(workspace.clock.now()).toISOString()
  const { endsWhenIdle } = handlers
  await writeDaemonAddress(workspace, {
    pid: workspace.clock.pid,
    socket,
    token,
    version: VERSION,
    since,
    ...(endsWhenIdle && { endsWhenIdle }),
  })
  return {
    async [Symbol.asyncDispose]() {
      // When the git directory was replaced, the file may be another daemon's by now.
      if ((await readDaemonAddress(workspace))?.token === token) await removeDaemonAddress(workspace)
      await server[Symbol.asyncDispose]()
    },
  }
}

const requestShape = z.object({
  token: z.string(),
  ask: z.enum(['status', 'flush', 'stop', 'events']),
  timeoutMs: z.number().positive().max(600_000).default(10_000),
  reconcile: z.boolean().default(true),
})
