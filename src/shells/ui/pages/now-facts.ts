import type { FailureWords } from './failure-text.tsx'
import type { StoppedRun } from '../../../core/report/stopped-run.ts'
import type { RecordFacts } from './record-row.tsx'

/** What happens in a worktree now. */
export type NowFacts = {
  readonly now: number
  readonly tree: TreeNow
  readonly intents: readonly IntentNow[]
  readonly runs: readonly RunNow[]
  /** The runs that were stopped and wait for a person, the latest stop first. */
  readonly stopped: readonly StoppedRun[]
  readonly requests: readonly RequestNow[]
  readonly decisions: readonly DecisionNow[]
  readonly latest: readonly RecordFacts[]
  readonly counts: LedgerCounts
  /** The byte of the ledger up to which the latest records are. */
  readonly offset: number
  /** What could not be found out, and why. */
  readonly problems: readonly FailureWords[]
}

/** How many things wait for a person. */
export function waitingCount({ stopped, requests, decisions }: NowFacts): number {
  return stopped.length + requests.length + decisions.length
}

/** How many records the ledger has, and how many of them are of one kind. */
export type LedgerCounts = { readonly records: number; readonly violations: number }

/** The state of a worktree: where its HEAD is, who watches it, and what differs from HEAD. */
export type TreeNow = {
  readonly branch: string | null
  /** Null while the branch has no commit. */
  readonly head: string | null
  /** When the daemon started; null without one. */
  readonly watchedSince: string | null
  readonly changes: readonly ChangeNow[]
}

/** A path that differs from HEAD. */
export type ChangeNow = {
  readonly path: string
  readonly kind: 'untracked' | 'dirty' | 'staged' | 'clean'
  /** The open intents that own it. */
  readonly owners: readonly string[]
  /** It is outside the scope of the session's intent. */
  readonly isOutside: boolean
  /** The ledger has no record of its content. */
  readonly isUntraced: boolean
}

/** An intent that is in progress, and who holds it. */
export type IntentNow = {
  readonly id: string
  readonly name: string
  readonly sessions: readonly SessionNow[]
  /** Sessions of other worktrees of the clone, and of other clones. */
  readonly elsewhere: readonly string[]
}

/** A live session. */
export type SessionNow = {
  readonly id: string
  /** Null for a person. */
  readonly agent: string | null
  readonly model: string | null
  readonly since: string
  readonly seen: string
}

/** The run of an agent's session. */
export type RunNow = {
  readonly session: string
  readonly intent: string
  readonly status: string
  readonly why: string | null
  readonly since: string | null
  readonly counters: readonly (readonly [name: string, value: number])[]
  readonly checks: readonly { readonly id: string; readonly result: string }[]
}

/** What an agent asked a person for, without an answer yet. */
export type RequestNow = {
  readonly id: string
  readonly at: string
  readonly session: string
  readonly agent: string
  readonly intent: string
  readonly kind: 'scope' | 'approval'
  readonly wants: readonly string[]
  readonly reason: string
  /** The command by which a person answers. */
  readonly command: string
}

/** A question of a handover that waits for its answer. */
export type DecisionNow = {
  readonly handover: string
  readonly id: string
  readonly question: string
  readonly at: string
  /** The command by which a person answers. */
  readonly command: string
}
