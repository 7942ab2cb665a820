import type { CompressedPart } from './compressed-parts.ts'
import type { PathChange } from '../git/changes.ts'
import type { ChangeClass } from './mutation-class.ts'

/** The events of the ledger, a closed union. The data of an event is in `metadata["dev.kotef"]`. */
export type LedgerEvent =
  | {
      readonly event: 'write'
      readonly attribution: Attribution
      readonly source: WriteSource
      readonly doubt?: Doubt
      /** A governance file was written while each agent with a session reported its tool calls, and none ran. */
      readonly agents?: 'idle'
      /** The role that the session had in a handover when it wrote; absent without one. */
      readonly handover?: { readonly role: string; readonly session: string }
    }
  | { readonly event: 'initialised' }
  /** The mark of a ledger whose first bytes are in compressed parts: the ledger has no such line. */
  | { readonly event: 'ledger-compressed'; readonly last: CompressedPart }
  /** A damaged ledger was set aside; this is the first record of the next one. */
  | { readonly event: 'ledger-closed'; readonly reason: string; readonly closed: ClosedLedger }
  | { readonly event: 'intent-added'; readonly intent: string }
  | { readonly event: 'intent-edited'; readonly intent: string; readonly fields: readonly string[] }
  | { readonly event: 'intent-renumbered'; readonly intent: string; readonly from: string }
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
      /** Null when the timeout stopped the command, or it could not be started. */
      readonly exit: number | null
      readonly timed_out: boolean
      /** Absent in older records. `stale`: the files changed while it ran. */
      readonly status?: 'passed' | 'failed' | 'timeout' | 'error' | 'stale'
      /** Of its error: equal when it failed again for the same reason. */
      readonly signature?: string
      /** It did not run: it had passed on the same files before. */
      readonly kept?: true
    }
  | {
      readonly event: 'attested'
      /** As for an approval. */
      readonly person?: PersonProof
      readonly intent: string
      readonly criteria: readonly string[]
      /** The tree id of the files that the person saw; absent when the intent was completed with it. */
      readonly tree?: string
    }
  | { readonly event: 'session-started'; readonly session: string; readonly intent: string; readonly agent?: string }
  | { readonly event: 'session-ended'; readonly session: string; readonly intent: string }
  /** The first call of an agent's session that was refused, because the session had selected no intent. */
  | {
      readonly event: 'refused'
      readonly session: string
      readonly agent: string
      readonly tool: string
      /** The code of the reason. */
      readonly code: string
    }
  /** A session took an intent over from another one, whose claim was stale or was taken by force. */
  | {
      readonly event: 'claim-stolen'
      readonly session: string
      readonly intent: string
      /** The session that held it. */
      readonly from: string
      readonly why: 'ended' | 'process-gone' | 'silent' | 'by-force'
    }
  /** An agent's request to a person: globs for the scope of its intent, or an approval of an action in words. */
  | {
      readonly event: 'requested'
      /** The id of the request; absent in older records. */
      readonly request?: string
      readonly session: string
      readonly intent: string
      readonly kind: 'scope' | 'approval'
      readonly wants: readonly string[]
      readonly reason: string
    }
  /** A person's answer to a request, with the request's id, and how the person was asked. */
  | ({ readonly event: 'granted' } & AnsweredRequest)
  | ({ readonly event: 'rejected'; readonly reason: string } & AnsweredRequest)
  /** An agent's claim that writes recorded earlier are its own. */
  | {
      readonly event: 'claimed'
      readonly session: string
      readonly agent: string
      readonly model: string | null
      readonly intent: string | null
      readonly path: string
      /** The ids of those writes. */
      readonly records: readonly string[]
      /** As for a write. */
      readonly handover?: { readonly role: string; readonly session: string }
    }
  /** A person's word that writes which were recorded as doubtful, or as nobody's, are that person's. */
  | {
      readonly event: 'taken-over'
      readonly path: string
      /** The ids of those writes. */
      readonly records: readonly string[]
      /** As for an approval. */
      readonly person: PersonProof
    }
  /** The class of an uncommitted change of a file, from HEAD's blob to the one on disk at that time. */
  | ({
      readonly event: 'classified'
      readonly path: string
      readonly before: string | null
      readonly after: string | null
      /** Of the file's last write. */
      readonly intent: string | null
    } & ChangeClass)
  | {
      readonly event: 'violation'
      readonly rule: string
      readonly path: string | null
      readonly intent: string | null
      readonly message: string
      /** The id of the record of the write that broke the rule, or the commit that did. */
      readonly record?: string
      readonly commit?: string
    }
  /** Changes of governance files that a person approved, on top of the commit `parent`. */
  | {
      readonly event: 'approved'
      readonly parent: string | null
      readonly changes: readonly PathChange[]
      /** Whether it is proved that a person did it; absent in older records, which prove nothing. */
      readonly person?: PersonProof
    }
  /** A commit that was made with the hooks switched off (KOTEF=0). */
  | { readonly event: 'skipped'; readonly commit: string }
  | { readonly event: 'daemon-started'; readonly pid: number; readonly preexisting: number }
  | { readonly event: 'daemon-stopped'; readonly pid: number }
  | { readonly event: 'daemon-gap'; readonly since: string }
  | { readonly event: 'problem'; readonly path: string | null; readonly message: string }

/** A ledger that was set aside. */
export type ClosedLedger = {
  /** The names of its files in `<git-dir>/kotef`, with the SHA-256 of each; none when the ledger was gone. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[]
  readonly records: number
  /** The saved head of its chain. */
  readonly head: { readonly writer: string; readonly seq: number; readonly hash: string } | null
  /** The codes of what was wrong with it. */
  readonly findings: readonly string[]
}

type AnsweredRequest = {
  readonly request: string
  readonly session: string
  readonly intent: string
  readonly kind: 'scope' | 'approval'
  readonly wants: readonly string[]
  /** `command` means `--yes`, without a question. */
  readonly via: 'terminal' | 'command' | 'elicitation'
  /** As for an approval. */
  readonly person?: PersonProof
}

/** Whether it is proved that a person did something. */
export type PersonProof = 'proved' | 'unproved'

/** How the author of a write is known. kotef never guesses an agent. */
export type Attribution = 'claimed' | 'window' | 'declared' | 'person' | 'unknown'

/**
 * Who else may have written what has an author: a person, whose editor may save a file while the author's command runs,
 * or another agent, whose command ran at that time too.
 */
export type Doubt = 'person' | 'agent'

/** What noticed a write. */
export type WriteSource = 'daemon' | 'hook' | 'catch-up' | 'reconcile' | 'commit'
