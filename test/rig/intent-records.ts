import type { LedgerEvent } from '../../src/core/ledger/event.ts'
import type { TraceRecord } from '../../src/core/ledger/record.ts'
import { sessionUrl } from '../../src/core/ledger/session-url.ts'

/** A record of an event of a ledger, without a chain. */
export function eventRecord(at: string, event: LedgerEvent): TraceRecord {
  const link = { writer: 'w', seq: 0, prev: null, hash: '' }
  const own = { ...event, phase: 'working' as const, ...link }
  return {
    ...{ version: '0.1.0', id: `${at} ${event.event}`, timestamp: at, tool: { name: 'kotef', version: '1' } },
    files: [],
    metadata: { 'dev.kotef': own },
  }
}

/** The record of a write of a session for INT-001. */
export function writeRecord(at: string, path: string, session = 's-1'): TraceRecord {
  const event = eventRecord(at, { event: 'write', attribution: 'window', source: 'daemon' })
  const related = [{ type: 'intent', url: 'intent:INT-001', value: 'INT-001' }] as const
  const conversation = {
    url: sessionUrl(session),
    contributor: { type: 'ai', model_id: 'opus' } as const,
    ranges: [{ start_line: 1, end_line: 2, content_hash: '', line_hashes: '' }],
    related,
  }
  const change = { op: 'modify', before: 'a', after: 'b', removed: [] } as const
  return {
    ...event,
    id: `${at} ${path}`,
    files: [{ path, relative_path: path, conversations: [conversation], kotef: change }],
  }
}
