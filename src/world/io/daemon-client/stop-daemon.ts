import { setTimeout as delay } from 'node:timers/promises'
import { KotefError } from '../../../core/base/failure.ts'
import { isProcessAlive } from '../process/processes.ts'
import { DAEMON_STOP_MS_MAX } from '../../../core/base/thresholds.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { askDaemon, readDaemonAddress } from './ask-daemon.ts'

/** Asks the daemon to stop and waits until its process has ended. Returns its pid. */
export async function stopDaemon(workspace: Workspace): Promise<number | null> {
  const address = await readDaemonAddress(workspace)
  const answers = await askDaemon(workspace, { ask: 'stop' })
  if (!answers) throw noDaemonToStop(workspace.root)
  for await (const _ of answers) continue
  const until = Date.now() + DAEMON_STOP_MS_MAX
  while (address && isProcessAlive(address.pid)) {
    if (Date.now() > until) throw new KotefError('daemon-failed', `The daemon (pid ${address.pid}) does not stop.`)
    await delay(5)
  }
  return address?.pid ?? null
}

function noDaemonToStop(root: string): KotefError {
  const hint = 'There is nothing to stop: see `kotef status`'
  return new KotefError('daemon-not-running', `No daemon is watching ${root}`, { hint })
}
