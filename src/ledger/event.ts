import type { PathChange } from '../git/changes.ts'

/** What a ledger line can tell: a closed union; its data stands under `metadata["dev.kotef"]`. */
export type LedgerEvent =
  | { readonly event: 'write'; readonly attribution: Attribution; readonly source: WriteSource }
  | { readonly event: 'initialised' }
  | { readonly event: 'intent-added'; readonly intent: string }
  | { readonly event: 'intent-edited'; readonly intent: string; readonly fields: readonly string[] }
  | {
      readonly event: 'transition'
      readonly intent: string
      readonly from: string
      readonly to: string
      readonly reason?: string
    }
  | {
      readonly event: 'check-run'
      readonly intent: string
      readonly command: string
      /** Null when it was stopped by its timeout, or could not be started. */
      readonly exit: number | null
      readonly timed_out: boolean
    }
  | { readonly event: 'attested'; readonly intent: string; readonly criteria: readonly string[] }
  | { readonly event: 'session-started'; readonly session: string; readonly intent: string; readonly agent?: string }
  | { readonly event: 'session-ended'; readonly session: string; readonly intent: string }
  /** A session works on an intent from now on that another one held: that one is dead, or it was taken from it. */
  | {
      readonly event: 'claim-stolen'
      readonly session: string
      readonly intent: string
      /** The session that held it. */
      readonly from: string
      readonly why: 'ended' | 'process-gone' | 'silent' | 'by-force'
    }
  /** What an agent asks a person for: globs for the scope of its intent, or leave to do something, in words. */
  | {
      readonly event: 'requested'
      readonly session: string
      readonly intent: string
      readonly kind: 'scope' | 'approval'
      readonly wants: readonly string[]
      readonly reason: string
    }
  /** What a person answered to a request, by its id, and how the person was asked. */
  | ({ readonly event: 'granted' } & AnsweredRequest)
  | ({ readonly event: 'rejected'; readonly reason: string } & AnsweredRequest)
  /** Writes that were recorded before an agent said that they are its own. */
  | {
      readonly event: 'claimed'
      readonly session: string
      readonly agent: string
      readonly model: string | null
      readonly intent: string | null
      readonly path: string
      /** The ids of those writes. */
      readonly records: readonly string[]
    }
  | {
      readonly event: 'violation'
      readonly rule: string
      readonly path: string | null
      readonly intent: string | null
      readonly message: string
      /** The id of the write that broke the rule, or the commit that got in with it. */
      readonly record?: string
      readonly commit?: string
    }
  /** What a person approved of the governance plane, on top of the commit `parent`. */
  | { readonly event: 'approved'; readonly parent: string | null; readonly changes: readonly PathChange[] }
  /** A commit for which the hooks were switched off with KOTEF=0. */
  | { readonly event: 'skipped'; readonly commit: string }
  | { readonly event: 'daemon-started'; readonly pid: number; readonly preexisting: number }
  | { readonly event: 'daemon-stopped'; readonly pid: number }
  | { readonly event: 'daemon-gap'; readonly since: string }
  | { readonly event: 'problem'; readonly path: string | null; readonly message: string }

type AnsweredRequest = {
  readonly request: string
  readonly session: string
  readonly intent: string
  readonly kind: 'scope' | 'approval'
  readonly wants: readonly string[]
  /** `command` is `--yes`: then nobody was asked. */
  readonly via: 'terminal' | 'command' | 'elicitation'
}

/** How the author of a write is known; never guessed. */
export type Attribution = 'claimed' | 'window' | 'declared' | 'person' | 'unknown'

/** Who noticed a write. */
export type WriteSource = 'daemon' | 'hook' | 'catch-up' | 'reconcile' | 'commit'
