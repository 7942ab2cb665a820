import type { Config } from '../../core/intents/config.ts'
import { liveSessions, isSilent } from '../../world/intents/sessions/live-sessions.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** Ends a daemon that nobody uses. */
export type IdleEnd = Disposable & {
  /** False for a daemon that never ends by itself. */
  readonly isLimited: boolean
  /** Called when a write was recorded, or a client asked something. */
  recorded(): void
}

type IdleTerms = {
  readonly idleMs: number | null
  readonly config: Pick<Config, 'claims_ttl_minutes'>
  /** True while a client listens. */
  readonly isInUse: () => boolean
  readonly end: () => void
}

/**
 * Calls `end` after a time without a write, a client and a live session. A session counts until its claim would be
 * stale, because a person's session ends only when another one starts. Null stands for a daemon that never ends.
 */
export function idleEnd(workspace: Workspace, { idleMs, config, isInUse, end }: IdleTerms): IdleEnd {
  let usedAt = workspace.clock.ticks()
  const used = (): void => void (usedAt = workspace.clock.ticks())
  const check = async (): Promise<void> => {
    if (idleMs === null || workspace.clock.ticks() - usedAt < idleMs) return
    const sessions = await liveSessions(workspace)
    if (isInUse() || sessions.some(it => !isSilent(workspace, it, config.claims_ttl_minutes))) return used()
    end()
  }
  // While the sessions can't be read, the daemon goes on.
  const timer = idleMs === null ? undefined : setInterval(() => void check().catch(used), Math.ceil(idleMs / CHECKS))
  return { isLimited: idleMs !== null, recorded: used, [Symbol.dispose]: () => clearInterval(timer) }
}

// How often the daemon looks within that time.
const CHECKS = 20
