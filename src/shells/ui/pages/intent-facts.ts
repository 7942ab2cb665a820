import type { IntentContract } from '../../../core/intents/contract/intent-contract.ts'
import type { LoggedCommit } from '../../../core/git/log.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import type { MapEntry } from '../../../core/code/map/map-entry.ts'
import type { CheckStatus } from '../../../core/intents/contract/check-result.ts'
import type { DayOfWrites, Happening } from './happenings.ts'
import type { SlowFacts } from './slow-facts.ts'

/** What the page of all intents shows. */
export type IntentsFacts = {
  /** Milliseconds since 1970. */
  readonly now: number
  /** How many intents there are, and how many of each status. */
  readonly total: number
  readonly statuses: readonly { readonly status: string; readonly count: number }[]
  /** The status that alone is shown; null for all. */
  readonly only: string | null
  /** The number of the first row among those of that status, from 0. */
  readonly from: number
  /** How many have that status. */
  readonly listed: number
  readonly rows: readonly IntentRow[]
  readonly lines: Omit<SlowFacts<unknown>, 'value'> & { readonly isKnown: boolean }
}

/** An intent in the list. */
export type IntentRow = {
  readonly intent: Pick<Intent, 'id' | 'name' | 'status' | 'owned_scope' | 'standing'>
  /** Who holds it now. */
  readonly holders: readonly IntentSession[]
  /** How many records of the ledger are about it. */
  readonly records: number
  /** When the last write for it was recorded; null for none. */
  readonly lastWrite: string | null
  /** Null while they are being counted. */
  readonly lines: LineCounts | null
}

/** How many lines were added for an intent, and how many of them HEAD still has. */
export type LineCounts = { readonly added: number; readonly alive: number }

/** A session that holds an intent, or has held it. */
export type IntentSession = {
  readonly id: string
  /** Null for a person, and where no record says it. */
  readonly agent: string | null
  /** ISO 8601; null where no record that was read says it. */
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly isLive: boolean
  /** The folder of another worktree of the clone in which it is; null for this one. */
  readonly elsewhere: string | null
  /** How many records of this ledger are of the session and the intent. */
  readonly records: number
}

/** A list of which a page shows the first rows, or a part of it from a row on. */
export type Part<T> = { readonly total: number; readonly rows: readonly T[] }

/** What the page of an intent shows. */
export type IntentFacts = {
  /** Milliseconds since 1970. */
  readonly now: number
  /** With its live status. */
  readonly intent: Intent
  readonly contract: IntentContract
  readonly checks: readonly CheckFacts[]
  readonly sessions: Part<IntentSession>
  readonly lines: SlowFacts<IntentLines>
  readonly declarations: SlowFacts<Part<MapEntry>>
  readonly commits: Part<LoggedCommit>
  readonly history: Part<Happening>
  readonly kinds: readonly { readonly kind: Happening['kind']; readonly count: number }[]
  readonly days: readonly DayOfWrites[]
  readonly records: RecordsRead
}

/** How many records are about an intent, and how many of them, the newest, its history is made of. */
export type RecordsRead = { readonly all: number; readonly read: number }

/** The lines of an intent by file, those with the most living lines first. */
export type IntentLines = LineCounts & { readonly files: Part<FileLineCounts> }

/** The lines of an intent in a file of HEAD, or of one that is gone. */
export type FileLineCounts = LineCounts & { readonly path: string }

/** A check of an intent, or a criterion that a person attests, with what is known of its last result. */
export type CheckFacts = {
  readonly text: string
  /** True for a command. */
  readonly isCommand: boolean
  /** Null where no record that was read has a result. */
  readonly last: CheckResultFacts | null
}

/** The last result of a check. */
export type CheckResultFacts = {
  readonly status: CheckStatus | 'attested'
  /** ISO 8601. */
  readonly at: string
  /** True for a pass that was kept: the files were the same as when the command had passed. */
  readonly isKept: boolean
}
