import type { Intent } from '../../intents/intent.ts'
import type { HandoverRole } from '../../handover/port.ts'
import type { MapEntry } from '../../code/map/map-entry.ts'
import type { DeclarationConflict } from '../../code/map/conflicts.ts'
import type { MutationClass } from '../../ledger/mutation-class.ts'
import type { Policy } from '../../intents/scope/policy.ts'

/** The facts of an intent that its agent should know. */
export type ContextFacts = {
  readonly intent: Intent
  /** The role of the agent's session in a handover; absent or null without one. */
  readonly role?: HandoverRole | null
  /** The paths that no scope includes, however wide it is. */
  readonly forbidden: Pick<Policy, 'forbidden' | 'intentignore' | 'governance'>
  /** The files written for the intent, the last one first. */
  readonly files: readonly TouchedFile[]
  /** The work done for it, the newest first. */
  readonly history: readonly HistoryEntry[]
  /** The checks that were run for it, and how other sessions got on with it. */
  readonly attempts?: readonly Attempt[]
  /** What the map of intents lists for it: its declarations, with the hash of each as of the map. */
  readonly declarations?: readonly MapEntry[]
  readonly lessons: readonly string[]
  /** The declarations that other intents are changing as well, at this time. */
  readonly conflicts: readonly DeclarationConflict[]
  /** The constraint lines of the project's KOTEF.md. */
  readonly projectConstraints: readonly string[]
  /** The constraint lines of the intent's ticket, each with its file; absent without one. */
  readonly ticketConstraints?: readonly { readonly text: string; readonly by: string }[]
}

/** A file written for an intent; `state` and `recorded` are git blob oids of its bytes. */
export type TouchedFile = {
  readonly path: string
  /** The current content; null when there is no file, or it can't be read. */
  readonly state: string | null
  /** The content after the intent's last record; null when that record deleted the file. */
  readonly recorded: string | null
}

/** A commit, or consecutive writes of one author. */
export type HistoryEntry = {
  /** ISO 8601. */
  readonly at: string
  readonly by: string
  readonly session: string | null
  /** The commit; null for writes that are only in the ledger. */
  readonly commit: { readonly oid: string; readonly subject: string } | null
  readonly paths: readonly string[]
  /** The classes of these changes, as far as they are known. */
  readonly classes: readonly MutationClass[]
}

/** A check that was run, or a run of another session, with its result in words. */
export type Attempt = {
  /** ISO 8601. */
  readonly at: string
  readonly kind: 'check' | 'run'
  readonly text: string
  readonly about: Readonly<Record<string, string | null>>
}

/** An intent that can be selected. */
export type SelectableIntent = Pick<Intent, 'id' | 'name' | 'description' | 'status' | 'owned_scope'>

/** An intent, and why no session can select it; null when one can. */
export type ListedIntent = SelectableIntent & { readonly whyNot: string | null }

/** The state of a session: the intent that it has selected, or the intents that it can select. */
export type SelectionState = { readonly selected: ContextFacts } | { readonly available: readonly SelectableIntent[] }
