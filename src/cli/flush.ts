import { KotefError } from '../findings/failure.ts'
import { flushDaemon } from '../daemon-client/ask-daemon.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef flush`: returns when every write from before the call is in the ledger. */
export const run: RunVerb = async ({ cwd, options }) => {
  const workspace = await openWorkspace(cwd)
  const timeoutMs = Number(options['timeout'])
  if (!(timeoutMs > 0 && timeoutMs <= 600_000)) {
    throw new KotefError('usage', '--timeout takes a number of milliseconds, 600000 at most.')
  }
  const running = await flushDaemon(workspace, timeoutMs)
  if (!running) throw new KotefError('daemon-not-running', `No daemon is watching ${workspace.root}`)
  return { text: '', json: { flushed: true } }
}
