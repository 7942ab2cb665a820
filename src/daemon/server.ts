import { randomUUID } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { isWithin } from '../io/real-path.ts'
import { serve } from '../io/socket.ts'
import { KotefError } from '../report/failure.ts'
import { quoted } from '../report/printable.ts'
import { readAddress, removeAddress, socketPath, writeAddress } from '../workspace/daemon-address.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { VERSION } from '../package.ts'

/** What a daemon can be asked over its socket. */
export type Answers = {
  status(): unknown
  /**
   * Tells whether everything written before the call is in the ledger, or what is in the way; without reconciliation,
   * whether all is that the watcher has told of.
   */
  flush(wish: Flushing): Promise<{ readonly flushed: boolean; readonly problem?: string }>
  stop(): void
  /** Hands every record on to a listener until it leaves. */
  listen(listener: (record: unknown) => void, gone: AbortSignal): Promise<void>
}

/** How long to wait at most, and whether git is asked as well for what the watcher may have missed. */
export type Flushing = { readonly timeoutMs: number; readonly reconcile: boolean }

/** Opens the socket and writes down where it is. Whoever can't read that file has no token, and gets no answer. */
export async function openDoor(workspace: Workspace, answers: Answers): Promise<AsyncDisposable> {
  const token = randomUUID()
  const socket = socketPath(workspace)
  await makeWayTo(workspace, socket)
  const door = await serve(socket, async (request, say, gone) => {
    const asked = question.safeParse(request).data
    if (asked?.token !== token) return say({ error: { code: 'usage', message: 'not a question with this token' } })
    if (asked.ask === 'status') return say(answers.status())
    if (asked.ask === 'flush') return say(await answers.flush(asked))
    if (asked.ask === 'events') return answers.listen(say, gone)
    say({ stopping: true })
    answers.stop()
  })
  const since = new Date(workspace.clock.now()).toISOString()
  await writeAddress(workspace, { pid: workspace.clock.pid, socket, token, version: VERSION, since })
  return {
    async [Symbol.asyncDispose]() {
      // Where the git directory was replaced, another daemon may have written down its own by now.
      if ((await readAddress(workspace))?.token === token) await removeAddress(workspace)
      await door[Symbol.asyncDispose]()
    },
  }
}

// A socket that does not fit into the git directory lies where everybody may make folders, under any name.
async function makeWayTo({ files, gitDir }: Workspace, socket: string): Promise<void> {
  const folder = dirname(socket)
  if (process.platform === 'win32' || isWithin(gitDir, socket)) return
  await files.privateFolder(folder)
  const { uid } = await lstat(folder)
  if (uid === process.geteuid?.()) return
  throw new KotefError('daemon-failed', `${folder} belongs to somebody else: no socket is opened there.`, {
    hint: `Have it removed: \`rm -r ${quoted(folder)}\``,
  })
}

const question = z.object({
  token: z.string(),
  ask: z.enum(['status', 'flush', 'stop', 'events']),
  timeoutMs: z.number().positive().max(600_000).default(10_000),
  reconcile: z.boolean().default(true),
})
