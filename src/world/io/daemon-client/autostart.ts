import type { Config } from '../../../core/intents/config.ts'
import { AUTOSTART_IDLE_MS, AUTOSTART_MS_MAX, AUTOSTART_WAIT_MS_MAX } from '../../../core/base/thresholds.ts'
import { layoutOf, ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { readDaemonAddress } from './ask-daemon.ts'
import { startDetached } from './start-detached.ts'

/**
 * Starts a daemon of its own accord, unless one is running, a person has stopped it, or config or environment say
 * no. Returns the pid of a new daemon, else null. Never throws: everything works without a daemon.
 */
export async function autostartDaemon(workspace: Workspace, config: Pick<Config, 'watch'>): Promise<number | null> {
  try {
    if (!config.watch.autostart || !isAutostartAllowed(process.env)) return null
    const { modifiedAt, put } = workspace.files
    // Without a registry, as on a branch from before the adoption, a daemon would make one.
    if ((await modifiedAt(layoutOf(workspace).registry)) === null) return null
    if (await isAutostartForbidden(workspace)) return null
    // The git hooks read the time of the last try, and whether they tried again.
    const last = ownPath(workspace, 'autostart')
    await put(last, (await isAutostarting(workspace)) ? ((await workspace.files.read(last)) ?? '') : '')
    const { pid, isNew } = await startDetached(workspace, AUTOSTART_TERMS)
    return isNew ? pid : null
  } catch {
    return null
  }
}

const AUTOSTART_TERMS = { idleMs: AUTOSTART_IDLE_MS, waitMsMax: AUTOSTART_WAIT_MS_MAX }

/** True soon after a hook began to start a daemon, which has not answered yet. */
export async function isAutostarting(workspace: Workspace): Promise<boolean> {
  const at = await workspace.files.modifiedAt(ownPath(workspace, 'autostart'))
  const isRecent = at !== null && Math.abs(workspace.clock.now() - at) < AUTOSTART_MS_MAX
  if (!isRecent || (await isAutostartForbidden(workspace))) return false
  // One that began since then and does not answer has died.
  const address = await readDaemonAddress(workspace)
  return address === null || Date.parse(address.since) < at
}

/** The same for a new session. What a person stopped for an earlier session does not count for it. */
export async function autostartForSession(workspace: Workspace, config: Pick<Config, 'watch'>): Promise<number | null> {
  await allowAutostart(workspace).catch(() => {})
  return autostartDaemon(workspace, config)
}

// A pipeline has no use for a process that outlives it.
function isAutostartAllowed({ KOTEF: all, KOTEF_AUTOSTART: autostart, CI: pipeline }: NodeJS.ProcessEnv): boolean {
  return all !== '0' && autostart !== '0' && !pipeline
}

/** Remembers that a person stopped the daemon, so that no commit starts it again. */
export async function forbidAutostart(workspace: Workspace): Promise<void> {
  await workspace.files.put(stoppedMarker(workspace), '')
}

/** True after a person stopped the daemon, until a session begins or a person starts one. */
export async function isAutostartForbidden(workspace: Workspace): Promise<boolean> {
  return (await workspace.files.modifiedAt(stoppedMarker(workspace))) !== null
}

/** Forgets that. */
export async function allowAutostart(workspace: Workspace): Promise<void> {
  await workspace.files.remove(stoppedMarker(workspace))
}

function stoppedMarker(workspace: Workspace): string {
  return ownPath(workspace, 'watch-stopped')
}
