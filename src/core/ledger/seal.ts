import { sha256Hex } from '../base/sha256.ts'
import type { ChainLink, RecordDraft, TraceRecord } from './record.ts'

/** The parts of a record that come from the clock, git and the chain. */
export type RecordStamp = Omit<ChainLink, 'hash'> & {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** HEAD's commit; null while it is unborn. */
  readonly revision: string | null
  /** kotef's own version. */
  readonly version: string
}

/** Makes a record from a draft, and its line without the final newline. */
export function seal(draft: RecordDraft, stamp: RecordStamp): { record: TraceRecord; line: string } {
  const { id, timestamp, revision, version, writer, seq, prev } = stamp
  const own = { ...draft.event, phase: 'working', writer, seq, prev } as const
  const record = {
    version: '0.1.0',
    id,
    timestamp,
    ...(revision === null ? {} : { vcs: { type: 'git' as const, revision } }),
    tool: { name: 'kotef', version },
    files: draft.files ?? [],
    metadata: { 'dev.kotef': own },
  } as const
  const unsealed = JSON.stringify(record)
  const hash = sha256Hex(unsealed)
  // In place, because a burst makes many records.
  const metadata = { 'dev.kotef': Object.assign(own, { hash }) }
  return {
    record: Object.assign(record, { metadata }),
    line: `${unsealed.slice(0, -CLOSING.length)}${hashMember(hash)}${CLOSING}`,
  }
}

// The hash is the last member of the innermost of three objects.
const CLOSING = '}}}'

const hashMember = (hash: string): string => `,"hash":"${hash}"`

/** True when a line's `hash` matches: SHA-256 of the line without `,"hash":"…"`. */
export function isIntact(line: string, record: TraceRecord): boolean {
  const { hash } = record.metadata['dev.kotef']
  return sha256Hex(line.replace(hashMember(hash), '')) === hash
}
