import type { LedgerEvent } from './event.ts'
import type { ChangeClass } from './mutation-class.ts'

/** A line of the ledger: an Agent Trace 0.1.0 record that also has the field names of `.orchestration`. */
export type TraceRecord = {
  readonly version: '0.1.0'
  readonly id: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** Absent while HEAD is unborn. */
  readonly vcs?: { readonly type: 'git'; readonly revision: string }
  readonly tool: { readonly name: 'kotef'; readonly version: string }
  readonly files: readonly TracedFile[]
  readonly metadata: { readonly 'dev.kotef': LedgerEvent & { readonly phase: 'working' } & ChainLink }
}

/** A record's place in its writer's chain. `hash` is of this line, `prev` of the writer's line before it. */
export type ChainLink = {
  readonly writer: string
  readonly seq: number
  readonly prev: string | null
  readonly hash: string
}

export type TracedFile = {
  readonly path: string
  readonly relative_path: string
  readonly conversations: readonly Conversation[]
  readonly kotef: TracedChange
}

export type Conversation = {
  readonly url?: string
  readonly contributor: Contributor
  readonly ranges: readonly TracedRange[]
  readonly related: readonly { readonly type: 'intent'; readonly url: string; readonly value: string }[]
}

export type Contributor = { readonly type: 'human' | 'ai' | 'mixed' | 'unknown'; readonly model_id?: string }

/** Lines `start_line` to `end_line`, 1-based and inclusive. */
export type TracedRange = {
  readonly start_line: number
  readonly end_line: number
  readonly content_hash: string
  /** base64url, 4 bytes a line. */
  readonly line_hashes: string
}

/** The change of a file. `before` and `after` are git blob oids of the bytes on disk; null where there is no file. */
export type TracedChange = {
  readonly op: 'create' | 'modify' | 'delete' | 'rename'
  readonly from?: string
  readonly before: string | null
  readonly after: string | null
  readonly removed: readonly { readonly start_line: number; readonly lines: number }[]
  /** Git file modes; present when one of them is not 100644. */
  readonly mode?: { readonly before: string | null; readonly after: string | null }
  /**
   * Why a file with content has no ranges. With `unknown-before`, the ranges that it has are not all that was written:
   * a commit showed them, and the text that they were added to was not seen.
   */
  readonly opaque?: 'binary' | 'oversized' | 'symlink' | 'unknown-before'
  /** Files that were removed at the same time, besides `from`, of which this one has lines. */
  readonly origins?: readonly string[]
  /** The class of the change, and its evidence: in records of commits, where it was computed. */
  readonly mutation_class?: ChangeClass['mutation_class']
  readonly evidence?: string
}

/** A record before it has a time and a place in the chain. */
export type RecordDraft = {
  readonly event: LedgerEvent
  /** Where another record of the same append names this one; else it gets one there. */
  readonly id?: string
  readonly files?: readonly TracedFile[]
}
