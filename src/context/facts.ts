import type { Intent } from '../intents/intent.ts'
import type { Policy } from '../scope/policy.ts'

/** What an agent should know of the intent that it works on. */
export type ContextFacts = {
  readonly intent: Intent
  /** What no scope reaches, however wide it is. */
  readonly forbidden: Pick<Policy, 'forbidden' | 'intentignore' | 'governance'>
  /** The files that were written for the intent, the last one first. */
  readonly files: readonly TouchedFile[]
  /** What was done for it, the newest first. */
  readonly history: readonly HistoryEntry[]
  readonly lessons: readonly string[]
}

/** A file that was written for an intent; the hashes are git blob oids of its bytes. */
export type TouchedFile = {
  readonly path: string
  /** What stands there now; null where there is nothing, or where it can't be read. */
  readonly state: string | null
  /** What the last record of the intent left there; null when it took the file away. */
  readonly recorded: string | null
}

/** A commit, or what one author wrote in a row. */
export type HistoryEntry = {
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  readonly session: string | null
  /** The commit with its subject; null for what only the ledger tells of. */
  readonly commit: { readonly oid: string; readonly subject: string } | null
  readonly paths: readonly string[]
}

/** An intent that can be selected. */
export type SelectableIntent = Pick<Intent, 'id' | 'name' | 'description' | 'status' | 'owned_scope'>

/** An intent, and why no session can select it; null when one can. */
export type ListedIntent = SelectableIntent & { readonly whyNot: string | null }

/** Where a session stands: it has selected an intent, or these are the ones that it can select. */
export type SelectionState = { readonly selected: ContextFacts } | { readonly available: readonly SelectableIntent[] }
