import type { TraceRecord } from '../../core/ledger/record.ts'
import { parseSessionUrl } from '../../core/ledger/session-url.ts'
import { recordHeartbeat } from '../../world/intents/sessions/session-store.ts'
import { readWindows } from '../../world/recording/agent-activity/windows.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { findLeftovers } from '../../world/io/worktree/leftovers.ts'
import { ownPath } from '../../world/io/worktree/layout.ts'

/** Saves heartbeats of the sessions whose writes are recorded. */
export type Heartbeats = AsyncDisposable & { recorded(records: readonly TraceRecord[]): void }

/** A write is a heartbeat of its session. A session of an agent without hooks has no other. */
export function heartbeatsOf(workspace: Workspace, failed: (reason: unknown) => void): Heartbeats {
  const beatAt = new Map<string, number>()
  let beating: Promise<unknown> = Promise.resolve()
  const isDue = (session: string): boolean =>
    workspace.clock.ticks() - (beatAt.get(session) ?? -Infinity) >= HEARTBEAT_PAUSE_MS
  return {
    recorded(records) {
      for (const session of sessionsOf(records)) {
        if (!isDue(session)) continue
        beatAt.set(session, workspace.clock.ticks())
        beating = beating.then(() => recordHeartbeat(workspace, session)).catch(failed)
      }
    },
    async [Symbol.asyncDispose]() {
      await beating
    },
  }
}

// As often as a session's heartbeat is saved: `session-store` ignores more frequent ones.
const HEARTBEAT_PAUSE_MS = 60_000

function sessionsOf(records: readonly TraceRecord[]): Set<string> {
  const urls = new Set(records.flatMap(({ files }) => files.flatMap(it => it.conversations.map(({ url }) => url))))
  return new Set([...urls].flatMap(url => parseSessionUrl(url) ?? []))
}

/**
 * Removes files from kotef's folders that are no longer needed, at once and once a day, and ends the tool calls of
 * agents that were killed, soon after: what a person writes next is not the agent's.
 */
export async function startUpkeep(workspace: Workspace, failed: (reason: unknown) => void): Promise<Disposable> {
  const sweep = async (): Promise<void> => {
    const paths = Object.values(await findLeftovers(workspace)).flat()
    for (const path of paths) await workspace.files.clear(path)
  }
  // A killed daemon left the texts that it was diffing.
  await workspace.files.clear(ownPath(workspace, 'tmp')).catch(failed)
  await sweep().catch(failed)
  const endAbandoned = (): void => void readWindows(workspace).catch(failed)
  const timers = [setInterval(() => void sweep().catch(failed), DAY_MS), setInterval(endAbandoned, AGENTS_LOOK_MS)]
  return { [Symbol.dispose]: () => timers.forEach(it => clearInterval(it)) }
}

const DAY_MS = 86_400_000

// Shorter than it takes a person to see that the agent is gone, and to save a file.
const AGENTS_LOOK_MS = 2_000
