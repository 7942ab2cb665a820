import type { handoverStatus } from '../../../core/handover/handover-status.ts'

/** A session of the handover in the list of sessions. */
export type HandoverRow = {
  readonly session: string
  readonly mode: string
  /** Null where the status can't be read. */
  readonly state: string | null
  readonly tasks: number
  readonly completed: number
  readonly pending: number
  readonly missing: number
  readonly problems: number
}

/** The list of the sessions of the handover. */
export type HandoversFacts = { readonly sessions: readonly HandoverRow[] }

/** A state to which a session may go on, and what it needs for that; null when nothing is in the way. */
export type HandoverWay = { readonly to: string; readonly needs: string | null }

/** A question to a person, with its end. */
export type HandoverDecision = {
  readonly id: string
  readonly question: string
  readonly status: string
  readonly answer: string | null
  readonly reason: string | null
  /** ISO 8601. */
  readonly askedAt: string
  readonly resolvedAt: string | null
  readonly isSecurity: boolean
}

/** Something that happened in a session; `commit` is the one that changed its files. */
export type HandoverEvent = {
  /** ISO 8601. */
  readonly at: string
  readonly what: string
  readonly text: string
  readonly commit: string | null
}

/** The page of a session. */
export type HandoverFacts = {
  readonly now: number
  /** As `kotef handover status --json`. */
  readonly status: ReturnType<typeof handoverStatus>
  readonly ways: readonly HandoverWay[]
  readonly decisions: readonly HandoverDecision[]
  /** Newest first. */
  readonly history: readonly HandoverEvent[]
  /** Events that are older than those. */
  readonly older: number
  readonly assumptions: readonly string[]
  readonly knownIssues: readonly string[]
}
