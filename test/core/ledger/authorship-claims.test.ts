import { expect, test } from 'vitest'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import { claimableRecord, type ClaimedWrite, authorshipClaims } from '../../../src/core/ledger/authorship-claims.ts'
import type { Attribution, LedgerEvent } from '../../../src/core/ledger/event.ts'
import type { TracedChange, TraceRecord } from '../../../src/core/ledger/record.ts'
import { seal } from '../../../src/core/ledger/seal.ts'
import { matchesFilter } from '../../../src/core/ledger/record-filter.ts'
import { parseSessionUrl, sessionUrl } from '../../../src/core/ledger/session-url.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'

let seq = 0

function recordOf(event: LedgerEvent, files: TraceRecord['files'] = []): TraceRecord {
  const id = `00000000-0000-4000-8000-${String(seq++).padStart(12, '0')}`
  const link = { writer: 'w', seq, prev: null, version: '1.0.0', revision: null }
  return seal({ event, files }, { ...link, id, timestamp: '2026-01-01T00:00:00.000Z' }).record
}

type Stood = Pick<TracedChange, 'before' | 'after'>

function writeOf(path: string, stood: Stood, attribution: Attribution = 'person', session = 'p'): TraceRecord {
  const credit = { contributor: { type: 'human' }, session, intent: null } as const
  const file = tracedFile(path, { op: 'modify', ...stood, removed: [] }, { ranges: [], credit })
  return recordOf({ event: 'write', attribution, source: 'daemon' }, [file])
}

const claimOf = (session: string, records: readonly TraceRecord[]): TraceRecord => {
  const claim = { session, agent: 'claude', model: 'anthropic/claude', intent: 'INT-1' }
  return recordOf({ event: 'claimed', ...claim, path: 'a', records: records.map(it => it.id) })
}

test('a claim holds for the records that it names, and the first one of several', () => {
  const [one, two, three] = [writeOf('a', AB), writeOf('a', AB), writeOf('a', AB)]
  const claims = authorshipClaims([one, two, three, claimOf('s', [one, two]), claimOf('late', [two])])
  const claim = { by: 'agent', session: 's', model: 'anthropic/claude', intent: 'INT-1' }
  expect([...claims]).toEqual([
    [one.id, claim],
    [two.id, claim],
  ])
})

test('a person takes writes over, and no agent claims them afterwards', () => {
  const [one, two] = [writeOf('a', AB, 'window'), writeOf('a', AB, 'window')]
  const word = recordOf({ event: 'taken-over', path: 'a', records: [one.id, two.id], person: 'proved' })
  expect(matchesFilter(word, { file: 'a' })).toBe(true)
  const claims = authorshipClaims([one, claimOf('s', [one]), two, word, claimOf('late', [two])])
  expect([...claims].map(([id, it]) => [id, it.by, it.session, it.intent])).toEqual([
    [one.id, 'agent', 's', 'INT-1'],
    [two.id, 'person', null, null],
  ])
  expect(claimableRecord([two, word], REPORT)).toBeNull()
})

const AB: Stood = { before: 'a', after: 'b' }
const CA: Stood = { before: 'c', after: 'a' }
const REPORT: ClaimedWrite = { session: 's', path: 'a', before: undefined, after: undefined, current: 'b' }

const byCommand = () => writeOf('a', AB, 'window', 'other')

/** A write that a session claimed, and a newer one. */
function claimedBy(session: string, newer: TraceRecord): TraceRecord[] {
  const older = writeOf('a', CA)
  return [older, claimOf(session, [older]), newer]
}

test.each<[what: string, records: TraceRecord[], before: string | null | undefined, is: number | null]>([
  ['the newest record of the path', [writeOf('a', AB), writeOf('a', AB)], undefined, 1],
  ['not that of another path', [writeOf('b', AB)], undefined, null],
  ['past what was written to other paths since', [writeOf('a', AB), writeOf('b', AB)], undefined, 0],
  ['nothing, when the path holds something else by now', [writeOf('a', { before: 'a', after: 'c' })], undefined, null],
  ['nothing, when it held something else before', [writeOf('a', AB)], 'c', null],
  ['nothing, when it was not there before', [writeOf('a', AB)], null, null],
  ['what began with what the agent found', [writeOf('a', AB)], 'a', 0],
  ['what nobody is known to have written', [writeOf('a', AB, 'unknown')], undefined, 0],
  ['not what an agent is known to have written', [writeOf('a', AB, 'claimed')], undefined, null],
  ['what changed while a command of another session ran', [writeOf('a', AB, 'window')], undefined, 0],
  ['not what a command of the same session wrote', [writeOf('a', AB, 'window', 's')], undefined, null],
  ['not what was declared', [writeOf('a', AB, 'declared')], undefined, null],
])('a late claim is about %s', (_, records, before, is) => {
  const id = is === null ? null : records[is]?.id
  expect(claimableRecord(records, { ...REPORT, before })).toBe(id)
})

test.each<[what: string, records: TraceRecord[], report: Partial<ClaimedWrite>, is: number | null]>([
  ['what has the content that the agent wrote', [byCommand()], { after: 'b' }, 0],
  ['nothing, when the agent wrote other content', [writeOf('a', AB)], { after: 'c' }, null],
  ['nothing, when only the beginning is what the agent found', [byCommand()], { before: 'a', after: 'c' }, null],
  ['nothing, when only the end is what the agent wrote', [byCommand()], { before: 'c', after: 'b' }, null],
  ['no command’s write after an own one', [writeOf('a', CA, 'claimed', 's'), byCommand()], {}, null],
  ['no command’s write after one that is claimed', claimedBy('s', byCommand()), {}, null],
  ['a command’s write after one of a third session', claimedBy('t', byCommand()), {}, 2],
  ['a command’s write after an own one of another path', [writeOf('b', AB, 'claimed', 's'), byCommand()], {}, 1],
  ['the second of two own edits, by its content', claimedBy('s', byCommand()), { after: 'b' }, 2],
  ['the second of two own edits, by what it began with', claimedBy('s', byCommand()), { before: 'a' }, 2],
  ['the second of two own edits, when no command ran', claimedBy('s', writeOf('a', AB)), {}, 2],
])('by what a report shows, a late claim is about %s', (_, records, report, is) => {
  const id = is === null ? null : records[is]?.id
  expect(claimableRecord(records, { ...REPORT, ...report })).toBe(id)
})

test('a write is claimed once', () => {
  const write = writeOf('a', AB)
  const records = [write, claimOf('s', [write])]
  expect(claimableRecord(records, REPORT)).toBeNull()
})

test.each(['6f1c', 'a b/c?d#e%', '../..', 'ünï 中 "x"', '\ud800', '%zz', '\n\t'])(
  'a session that calls itself %j makes a good record, which can be asked for',
  session => {
    const written = writeOf('a', AB, 'claimed', session)
    expect(schemaFaults(written)).toEqual([])
    expect(matchesFilter(written, { session: session.toWellFormed() })).toBe(true)
    expect(matchesFilter(claimOf(session, [written]), { session })).toBe(true)
  },
)

test('a URL that no session has made stands for itself or for none', () => {
  expect([parseSessionUrl('kotef:session/%zz'), parseSessionUrl('https://x'), parseSessionUrl(undefined)]).toEqual([
    '%zz',
    null,
    null,
  ])
  expect(parseSessionUrl(sessionUrl('a/b'))).toBe('a/b')
})
