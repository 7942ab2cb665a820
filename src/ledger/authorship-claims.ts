import type { LedgerEvent } from './event.ts'
import type { TraceRecord } from './record.ts'
import type { Credit } from './traced-file.ts'

/** Whose a write is after all: an agent said so when it had been recorded. */
export type AuthorshipClaim = Pick<ClaimedEvent, 'session' | 'agent' | 'model' | 'intent'>

type ClaimedEvent = Extract<LedgerEvent, { event: 'claimed' }>

/** The claims that some records make, by the id of the record that is claimed. The first one holds. */
export function authorshipClaims(records: readonly TraceRecord[]): Map<string, AuthorshipClaim> {
  const claims = new Map<string, AuthorshipClaim>()
  for (const { metadata } of records) {
    const own = metadata['dev.kotef']
    if (own.event !== 'claimed') continue
    const { session, agent, model, intent } = own
    for (const id of own.records) if (!claims.has(id)) claims.set(id, { session, agent, model, intent })
  }
  return claims
}

/** Whose lines they are that a record tells of, if it is claimed. */
export function creditOfClaim({ session, model, intent }: AuthorshipClaim): Credit {
  return { contributor: model === null ? { type: 'ai' } : { type: 'ai', model_id: model }, session, intent }
}

/** What is known of a write that is claimed: the path, and the blob oids of what stood there and stands there now. */
export type ClaimedWrite = {
  readonly path: string
  readonly before: string | null | undefined
  readonly after: string | null
}

/** The record that a late claim is about: the newest of the path, if it tells of just that write, and of no agent. */
export function claimableRecord(records: readonly TraceRecord[], { path, before, after }: ClaimedWrite): string | null {
  const newest = records.findLast(it => isWriteRecord(it) && it.files.some(file => file.path === path))
  const change = newest?.files.find(it => it.path === path)?.kotef
  if (!newest || !change || change.after !== after || authorshipClaims(records).has(newest.id)) return null
  return isUnattributed(newest) && (before === undefined || before === change.before) ? newest.id : null
}

function isWriteRecord({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

function isUnattributed({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && (own.attribution === 'unknown' || own.attribution === 'person')
}
