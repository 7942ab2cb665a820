import type { IntentClaim, SharedClaim, StaleReason } from '../intents/claim.ts'
import { momentText } from './local-time.ts'
import { printable } from '../base/printable.ts'
import { shortSession } from './short-id.ts'

/** Why another session took a claim over, as the end of a sentence. */
export const TAKEN_BECAUSE: Readonly<Record<StaleReason | 'by-force', string>> = {
  ended: 'that session has ended',
  'process-gone': 'its process is gone',
  silent: 'it sent no heartbeat for too long',
  'by-force': '--steal was used',
}

/** Who of another clone holds an intent, as the end of a sentence. */
export function elsewhereText({ agent, host, claimedAt }: SharedClaim, now: number): string {
  const who = agent === null ? 'a person' : printable(agent)
  return `another clone: ${who} on ${printable(host)}, since ${momentText(claimedAt, now)}`
}

/** Says that a session started the daemon, which may not be ready yet. */
export function watcherLine(pid: number): string {
  return `kotef's watcher started (pid ${pid}); it ends after an hour without work, or with \`kotef watch --stop\``
}

/** A claim with its state: held, or stale and why. `claim` is null for one that can't be read. */
export type ClaimState = {
  readonly intent: string
  readonly claim: IntentClaim | null
  readonly stale: StaleReason | null
  /** True when a session of this worktree holds it. */
  readonly here: boolean
}

/** A claim as one line: its session, since when, and where. */
export function claimLine({ intent, claim, stale }: ClaimState, now: number): string {
  if (!claim) return `${intent}  can't be read; \`kotef explain orchestration-unavailable\` says what to do`
  const who = claim.agent === null ? 'a person' : printable(claim.agent)
  const since = momentText(claim.claimedAt, now)
  const session = printable(shortSession(claim.session))
  const held = `${who}, session ${session}, since ${since}, in ${printable(claim.worktree)}`
  return `${intent}  ${held}${stale === null ? '' : `; stale: ${TAKEN_BECAUSE[stale]}`}`
}
