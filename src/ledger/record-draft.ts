import type { LedgerEvent } from './event.ts'
import type { TracedFile } from './record.ts'

/** A record before it has an identity, a time and a place in the chain. */
export type RecordDraft = {
  readonly event: LedgerEvent
  readonly files?: readonly TracedFile[]
}
