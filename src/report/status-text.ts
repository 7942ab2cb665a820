import type { Session } from '../intents/session.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import { type ClaimState, claimLine } from './claim-line.ts'
import { plural, printable } from '../text/printable.ts'

/** The answer of `kotef status`; its JSON is public. */
export type StatusReport = {
  readonly root: string
  /** HEAD's commit; null while it is unborn. */
  readonly head: string | null
  readonly intent: PolicyIntent | null
  readonly session: Session | null
  /** The claim on that intent; null when no session holds it. */
  readonly claim: ClaimState | null
  readonly daemon:
    { readonly running: true; readonly pid: number; readonly since: string } | { readonly running: false }
  readonly ledger: { readonly records: number; readonly head: string | null }
  /** Paths whose current content has no record. */
  readonly untraced: readonly string[]
  readonly outOfScope: readonly string[]
  readonly problems: readonly string[]
}

/** A status as text. */
export function statusText(status: StatusReport): string {
  const { intent, session, claim, daemon, ledger } = status
  return [
    `intent   ${intent ? `${intent.id} ${intent.name} (${intent.status})` : NO_INTENT}`,
    `session  ${session ? `${session.agent ?? 'a person'}, since ${session.claimedAt}` : 'none'}`,
    ...(claim
      ? [`claim    ${claim.claim && claim.claim.session === session?.id ? 'held by this session' : claimLine(claim)}`]
      : []),
    `daemon   ${daemon.running ? `pid ${daemon.pid}, since ${daemon.since}` : NO_DAEMON}`,
    `ledger   ${plural(ledger.records, 'record')}`,
    ...pathSection('not in the ledger', status.untraced),
    ...pathSection('outside the intent', status.outOfScope),
    ...status.problems.map(it => `problem  ${it}`),
  ].join('\n')
}

function pathSection(title: string, paths: readonly string[]): string[] {
  const shown = paths.slice(0, SECTION_PATHS_MAX).map(it => `  ${printable(it)}`)
  const more = paths.length - shown.length
  return paths.length === 0 ? [] : [`${title}:`, ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])]
}

const NO_INTENT = 'none; start one with `kotef intent start <id>`'
const NO_DAEMON = 'not running; start it with `npx kotef-watch`'
const SECTION_PATHS_MAX = 20
