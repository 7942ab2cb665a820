import type { LedgerEvent } from './event.ts'
import type { TracedFile, TraceRecord } from './record.ts'
import { parseSessionUrl } from './session-url.ts'
import type { Credit } from './traced-file.ts'

/** What an agent claims, after a write was recorded, to be its own, and as whom. */
export type AgentsClaim = Pick<ClaimedEvent, 'session' | 'agent' | 'model' | 'intent' | 'handover'>

type ClaimedEvent = Extract<LedgerEvent, { event: 'claimed' }>

/** Whose a recorded write is by a later word: an agent's, by its claim, or a person's, who has no session. */
export type AuthorshipClaim = Omit<AgentsClaim, 'agent' | 'session'> & {
  readonly by: 'agent' | 'person'
  readonly session: string | null
}

/** The claims in some records, by the id of the claimed record. Of several claims the first one counts. */
export function authorshipClaims(records: readonly TraceRecord[]): Map<string, AuthorshipClaim> {
  const claims = new Map<string, AuthorshipClaim>()
  for (const { metadata } of records) {
    const own = metadata['dev.kotef']
    if (own.event !== 'claimed' && own.event !== 'taken-over') continue
    const claim = own.event === 'claimed' ? claimOf(own) : PERSONS
    for (const id of own.records) if (!claims.has(id)) claims.set(id, claim)
  }
  return claims
}

const PERSONS: AuthorshipClaim = { by: 'person', session: null, model: null, intent: null }

function claimOf({ session, model, intent, handover }: ClaimedEvent): AuthorshipClaim {
  return { by: 'agent', session, model, intent, ...(handover && { handover }) }
}

/** The author of a claimed record's lines. */
export function creditOfClaim({ by, session, model, intent }: AuthorshipClaim): Credit {
  if (by === 'person') return { contributor: { type: 'human' }, session, intent }
  return { contributor: model === null ? { type: 'ai' } : { type: 'ai', model_id: model }, session, intent }
}

/** A write that an agent's session claims: the path, and blob oids; undefined for what the agent does not report. */
export type ClaimedWrite = {
  readonly session: string
  readonly path: string
  readonly before: string | null | undefined
  readonly after: string | undefined
  /** Of the file at the time of the claim; null for no file. */
  readonly current: string | null
}

/**
 * The record that a claim is about: the path's newest, if it is of exactly that write and free to be claimed. The
 * records are those of the time in which a write may be claimed.
 */
export function claimableRecord(records: readonly TraceRecord[], write: ClaimedWrite): string | null {
  const writes = records.filter(it => isWriteRecord(it) && it.files.some(file => file.path === write.path))
  const newest = writes.at(-1)
  const change = newest?.files.find(it => it.path === write.path)?.kotef
  if (!newest || !change || !isOfWrite(change, write)) return null
  const claims = authorshipClaims(records)
  const authors = writes.map(it => claims.get(it.id)?.session ?? agentOf(it))
  return !claims.has(newest.id) && isFree(newest, write, authors) ? newest.id : null
}

function isWriteRecord({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

function isOfWrite(change: TracedFile['kotef'], { before, after, current }: ClaimedWrite): boolean {
  if (change.after !== current || (after !== undefined && after !== current)) return false
  return before === undefined || before === change.before
}

/** The session of the agent that wrote a record's file, as far as it is known. */
function agentOf({ files, metadata }: TraceRecord): string | null {
  const own = metadata['dev.kotef']
  const isKnown = own.event === 'write' && (own.attribution === 'claimed' || own.attribution === 'window')
  return isKnown ? parseSessionUrl(files[0]?.conversations[0]?.url) : null
}

/** True when a record has no agent as author, or one whose command, which may write any path, ran at that time. */
function isFree(
  newest: TraceRecord,
  { session, before, after }: ClaimedWrite,
  authors: readonly (string | null)[],
): boolean {
  const own = newest.metadata['dev.kotef']
  if (own.event !== 'write' || own.attribution === 'claimed' || own.attribution === 'declared') return false
  // A report that does not show the content may be the report of the session's earlier write, sent again.
  const isProved = before !== undefined || after !== undefined
  return own.attribution !== 'window' || (isProved ? authors.at(-1) !== session : !authors.includes(session))
}
