import { KotefError } from '../../core/base/failure.ts'
import { flushDaemon } from '../../world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef flush`: returns when every write from before the call is in the ledger. */
export const run: RunVerb = async ({ cwd, options, interactive, notify }) => {
  const workspace = await openWorkspace(cwd)
  const timeoutMs = Number(options['timeout'])
  if (!(timeoutMs > 0 && timeoutMs <= WAIT_MS_MAX)) {
    throw new KotefError('usage', '--timeout takes a number of milliseconds, 600000 at most.')
  }
  const until = workspace.clock.ticks() + WAIT_MS_MAX - timeoutMs
  const waitsOn = (): boolean => {
    if (workspace.clock.ticks() > until) return false
    if (interactive) notify('The daemon is still recording: kotef waits for it.')
    return true
  }
  const running = await flushDaemon(workspace, timeoutMs, waitsOn)
  if (!running) throw new KotefError('daemon-not-running', `No daemon is watching ${workspace.root}`)
  return { text: '', json: { flushed: true } }
}

// A checkout of many thousand files takes minutes.
const WAIT_MS_MAX = 600_000
