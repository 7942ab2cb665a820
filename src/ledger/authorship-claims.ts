import type { LedgerEvent } from './event.ts'
import type { TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'
import type { Credit } from './traced-file.ts'

/** The claim of an agent, after a write was recorded, that the write is its own. */
export type AuthorshipClaim = Pick<ClaimedEvent, 'session' | 'agent' | 'model' | 'intent'>

type ClaimedEvent = Extract<LedgerEvent, { event: 'claimed' }>

/** The claims in some records, by the id of the claimed record. Of several claims the first one counts. */
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

/** The author of a claimed record's lines. */
export function creditOfClaim({ session, model, intent }: AuthorshipClaim): Credit {
  return { contributor: model === null ? { type: 'ai' } : { type: 'ai', model_id: model }, session, intent }
}

/** A write that an agent's session claims: the path, and the blob oids before and after. */
export type ClaimedWrite = {
  readonly session: string
  readonly path: string
  readonly before: string | null | undefined
  readonly after: string | null
}

/** The record that a claim is about: the path's newest, if it is of exactly that write and free to be claimed. */
export function claimableRecord(
  records: readonly TraceRecord[],
  { session, path, before, after }: ClaimedWrite,
): string | null {
  const newest = records.findLast(it => isWriteRecord(it) && it.files.some(file => file.path === path))
  const change = newest?.files.find(it => it.path === path)?.kotef
  if (!newest || !change || change.after !== after || authorshipClaims(records).has(newest.id)) return null
  return isFree(newest, session) && (before === undefined || before === change.before) ? newest.id : null
}

function isWriteRecord({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

// A command of another session, which may write any path, ran at that time: the report of the very path says more.
function isFree({ files, metadata }: TraceRecord, session: string): boolean {
  const own = metadata['dev.kotef']
  if (own.event !== 'write' || own.attribution === 'claimed' || own.attribution === 'declared') return false
  return own.attribution !== 'window' || parseSessionUrl(files[0]?.conversations[0]?.url) !== session
}
