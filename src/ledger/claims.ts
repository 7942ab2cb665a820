import type { LedgerEvent } from './event.ts'
import type { TraceRecord } from './record.ts'
import type { Credit } from './traced-file.ts'

/** Whose a write is after all: an agent said so when it had been recorded. */
export type Claim = Pick<ClaimedEvent, 'session' | 'agent' | 'model' | 'intent'>

type ClaimedEvent = Extract<LedgerEvent, { event: 'claimed' }>

/** The claims that some records make, by the id of the record that is claimed. The first one holds. */
export function claimsOf(records: readonly TraceRecord[]): Map<string, Claim> {
  const claims = new Map<string, Claim>()
  for (const { metadata } of records) {
    const own = metadata['dev.kotef']
    if (own.event !== 'claimed') continue
    const { session, agent, model, intent } = own
    for (const id of own.records) if (!claims.has(id)) claims.set(id, { session, agent, model, intent })
  }
  return claims
}

/** Whose lines they are that a record tells of, if it is claimed. */
export function creditOf({ session, model, intent }: Claim): Credit {
  return { contributor: model === null ? { type: 'ai' } : { type: 'ai', model_id: model }, session, intent }
}

/** What is known of a write that is claimed: the path, and the blob oids of what stood there and stands there now. */
export type Claimed = {
  readonly path: string
  readonly before: string | null | undefined
  readonly after: string | null
}

/** The record that a late claim is about: the newest of the path, if it tells of just that write, and of no agent. */
export function claimableIn(records: readonly TraceRecord[], { path, before, after }: Claimed): string | null {
  const newest = records.findLast(it => isWrite(it) && it.files.some(file => file.path === path))
  const change = newest?.files.find(it => it.path === path)?.kotef
  if (!newest || !change || change.after !== after || claimsOf(records).has(newest.id)) return null
  return isNobodys(newest) && (before === undefined || before === change.before) ? newest.id : null
}

function isWrite({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

function isNobodys({ metadata }: TraceRecord): boolean {
  const own = metadata['dev.kotef']
  return own.event === 'write' && (own.attribution === 'unknown' || own.attribution === 'person')
}
