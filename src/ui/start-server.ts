import { fork } from 'node:child_process'
import { type FailureCode, KotefError } from '../findings/failure.ts'
import { packageFile } from '../io/files/package.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A server of pages in a process of its own. */
export type RunningServer = { readonly url: string; readonly pid: number }

type StartReply =
  RunningServer | { readonly error: { readonly code: FailureCode; readonly message: string; readonly hint: string } }

/** Starts a server as a process of its own. Returns when it listens. */
export async function startServer({ root }: Workspace, port: number): Promise<RunningServer> {
  const options = { cwd: root, detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as const }
  const child = fork(packageFile('dist/ui-server.cjs'), [String(port)], { ...options, stdio: [...options.stdio] })
  const reply = await new Promise<StartReply>((resolve, reject) => {
    child.once('message', message => resolve(message as StartReply))
    child.once('error', reject)
    child.once('exit', code => reject(new KotefError('ui-failed', `The server exited with ${code}.`)))
  })
  if (child.connected) child.disconnect()
  child.unref()
  if ('error' in reply) throw new KotefError(reply.error.code, reply.error.message, { hint: reply.error.hint })
  return reply
}
