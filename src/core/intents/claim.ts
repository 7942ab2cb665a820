import { parseObject } from '../base/payload.ts'

/** The session that holds an intent, as stored in the ref `refs/kotef/claims/<id>` for all worktrees of a clone. */
export type IntentClaim = {
  readonly session: string
  /** The agent's name; null for a person. */
  readonly agent: string | null
  readonly host: string
  /** A process that lives as long as the session; null when unknown. */
  readonly pid: number | null
  /** The process that made the claim. */
  readonly by: number
  readonly worktree: string
  /** That worktree's git directory, relative to the common git directory: `.` or `worktrees/<name>`. */
  readonly gitDir: string
  /** ISO 8601. */
  readonly claimedAt: string
}

/** Reads a claim; null when the text is not one. Another program may have written it, so its paths are not trusted. */
export function readClaim(text: string): IntentClaim | null {
  const value = parseObject(text)
  if (value === null) return null
  const { session, agent, host, pid, by, worktree, gitDir, claimedAt } = value
  const isWhole =
    [session, host, worktree, gitDir, claimedAt].every(it => typeof it === 'string' && it !== '') &&
    (agent === null || typeof agent === 'string') &&
    (pid === null || isPid(pid)) &&
    isPid(by) &&
    GIT_DIR.test(gitDir as string) &&
    !Number.isNaN(Date.parse(claimedAt as string))
  return isWhole ? ({ session, agent, host, pid, by, worktree, gitDir, claimedAt } as IntentClaim) : null
}

/** A claim as other clones see it. */
export type SharedClaim = Pick<IntentClaim, 'session' | 'agent' | 'host' | 'claimedAt'> & {
  /** When its session was last active before it was shared, in ISO 8601. */
  readonly heartbeatAt: string
}

/** Reads a shared claim, which another clone wrote; null when the text is not one. */
export function readSharedClaim(text: string): SharedClaim | null {
  const value = parseObject(text)
  if (value === null) return null
  const { session, agent, host, claimedAt, heartbeatAt } = value
  const isWhole =
    [session, host].every(it => typeof it === 'string' && it !== '') &&
    (agent === null || typeof agent === 'string') &&
    [claimedAt, heartbeatAt].every(it => typeof it === 'string' && !Number.isNaN(Date.parse(it)))
  return isWhole ? ({ session, agent, host, claimedAt, heartbeatAt } as SharedClaim) : null
}

/** True when the session of a shared claim has been silent for so long that it holds nothing. */
export function isExpired({ heartbeatAt }: SharedClaim, now: number, ttlMinutes: number): boolean {
  return Math.abs(now - Date.parse(heartbeatAt)) > ttlMinutes * 60_000
}

const GIT_DIR = /^(\.|worktrees\/(?!\.\.?$)[^/\0]+)$/

/** The state of the session that a claim names. */
export type ClaimHolder =
  | { readonly kind: 'live'; readonly pid: number | null; readonly heartbeatAt: string }
  | { readonly kind: 'ended'; readonly endedAt: string }
  /** There is no such session: it is starting, its start was interrupted, or its worktree was removed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged' }

/** Why a claim is stale. */
export type StaleReason = 'ended' | 'process-gone' | 'silent'

export type ClaimContext = {
  readonly host: string
  readonly now: number
  readonly ttlMs: number
  readonly isAlive: (pid: number) => boolean
}

/** Why a claim is stale; null while it is valid. */
export function staleReason(claim: IntentClaim, holder: ClaimHolder, context: ClaimContext): StaleReason | null {
  const claimedAt = Date.parse(claim.claimedAt)
  // A session that ended before this claim was made is being resumed.
  if (holder.kind === 'ended' && Date.parse(holder.endedAt) > claimedAt) return 'ended'
  const pid = holder.kind === 'live' ? holder.pid : holder.kind === 'damaged' ? null : claim.by
  if (pid !== null && claim.host === context.host && !context.isAlive(pid)) return 'process-gone'
  const lastSignAt = holder.kind === 'live' ? Math.max(claimedAt, Date.parse(holder.heartbeatAt)) : claimedAt
  // The absolute value, because the clock may have been set back.
  return Math.abs(context.now - lastSignAt) > context.ttlMs ? 'silent' : null
}

function isPid(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0
}
