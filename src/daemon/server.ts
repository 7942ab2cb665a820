import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { serve } from '../io/socket.ts'
import { removeAddress, socketPath, writeAddress } from '../workspace/daemon-address.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { VERSION } from '../version.ts'

/** What a daemon can be asked over its socket. */
export type Answers = {
  status(): unknown
  /** Tells whether everything written before the call is in the ledger, or what is in the way. */
  flush(timeoutMs: number): Promise<{ readonly flushed: boolean; readonly problem?: string }>
  stop(): void
  /** Hands every record on to a listener until it leaves. */
  listen(listener: (record: unknown) => void, gone: AbortSignal): Promise<void>
}

/** Opens the socket and writes down where it is. Whoever can't read that file has no token, and gets no answer. */
export async function openDoor(workspace: Workspace, answers: Answers): Promise<AsyncDisposable> {
  const token = randomUUID()
  const socket = socketPath(workspace)
  if (process.platform !== 'win32') await mkdir(dirname(socket), { recursive: true, mode: 0o700 })
  const door = await serve(socket, async (request, say, gone) => {
    const asked = question.safeParse(request).data
    if (asked?.token !== token) return say({ error: { code: 'usage', message: 'not a question with this token' } })
    if (asked.ask === 'status') return say(answers.status())
    if (asked.ask === 'flush') return say(await answers.flush(asked.timeoutMs))
    if (asked.ask === 'events') return answers.listen(say, gone)
    say({ stopping: true })
    answers.stop()
  })
  const since = new Date(workspace.clock.now()).toISOString()
  await writeAddress(workspace, { pid: workspace.clock.pid, socket, token, version: VERSION, since })
  return {
    async [Symbol.asyncDispose]() {
      await removeAddress(workspace)
      await door[Symbol.asyncDispose]()
    },
  }
}

const question = z.object({
  token: z.string(),
  ask: z.enum(['status', 'flush', 'stop', 'events']),
  timeoutMs: z.number().positive().max(600_000).default(10_000),
})
