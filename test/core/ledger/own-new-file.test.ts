import { expect, test } from 'vitest'
import { ownContents } from '../../../src/core/ledger/own-new-file.ts'
import type { LedgerEvent } from '../../../src/core/ledger/event.ts'
import type { TracedChange, TraceRecord } from '../../../src/core/ledger/record.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'

type Write = Partial<Extract<LedgerEvent, { event: 'write' }>> & { readonly session?: string }

const change = (before: string | null, after: string | null, more: Partial<TracedChange> = {}): TracedChange => ({
  ...{ op: before === null ? 'create' : after === null ? 'delete' : 'modify', before, after, removed: [] },
  ...more,
})

/** A write of a path by the session `s`, unless told. */
function written(of: TracedChange, { session = 's', ...more }: Write = {}, path = 'a'): TraceRecord {
  const credit = { contributor: { type: session === 'p' ? 'human' : 'ai' }, session, intent: null } as const
  const own = { event: 'write', attribution: 'window', source: 'daemon', ...more }
  const files = [tracedFile(path, of, { ranges: [], credit })]
  return { id: `${of.before} ${of.after}`, files, metadata: { 'dev.kotef': own } } as unknown as TraceRecord
}

function claimed(session: string, records: string[]): TraceRecord {
  const own = { event: 'claimed', session, agent: 'x', model: null, intent: null, path: 'a', records }
  return { id: 'claim', files: [], metadata: { 'dev.kotef': own } } as unknown as TraceRecord
}

const contents = (records: readonly TraceRecord[], personsWork = false) =>
  ownContents(records, { path: 'a', session: 's', personsWork })

test.each<[string, TraceRecord[], last: string]>([
  ['one write', [written(change(null, '1'))], '1'],
  ['several', [written(change(null, '1')), written(change('1', '2'), { attribution: 'claimed' })], '2'],
  [
    'a removal and a second creation',
    [written(change(null, '1')), written(change('1', null)), written(change(null, '2'))],
    '2',
  ],
  [
    'a write that it claimed later',
    [written(change(null, '1'), { attribution: 'unknown' }), claimed('s', ['null 1'])],
    '1',
  ],
  ['a write in which a person may have saved', [written(change(null, '1'), { doubt: 'person' })], '1'],
])('%s: the session made the file', (_, records, last) => {
  const found = contents(records)
  expect([found?.last, found?.all.has(last)]).toEqual([last, true])
})

test.each<[string, TraceRecord[]]>([
  ['nothing', []],
  ['a file that was there', [written(change('0', '1'))]],
  ['a write of another session', [written(change(null, '1')), written(change('1', '2'), { session: 't' })]],
  [
    'a write of a person',
    [written(change(null, '1'), { session: 'p', attribution: 'person' }), written(change('1', '2'))],
  ],
  ['a write that nobody is known for', [written(change(null, '1'), { attribution: 'unknown' })]],
  ['a write that another session claimed', [written(change(null, '1')), claimed('t', ['null 1'])]],
  ['a write of which another agent may be the author', [written(change(null, '1'), { doubt: 'agent' })]],
  ['a change that is not recorded', [written(change(null, '1')), written(change('2', '3'))]],
  ['a file that is gone', [written(change(null, '1')), written(change('1', null))]],
  ['a file that was moved there', [written(change('1', '1', { op: 'rename', from: 'b' }))]],
  [
    'a file that was moved away',
    [written(change(null, '1')), written(change('1', '1', { op: 'rename', from: 'a' }), {}, 'b')],
  ],
  ['lines of a file that went', [written(change(null, '1', { origins: ['b'] }))]],
  ['a link', [written(change(null, '1', { opaque: 'symlink' }))]],
  ['a link by its mode', [written(change(null, '1', { mode: { before: null, after: '120000' } }))]],
  ['a content over one that is not known', [written(change(null, '1', { opaque: 'unknown-before' }))]],
])('%s: nothing is proven', (_, records) => {
  expect(contents(records)).toBeNull()
})

test('where a person works, a write in which one may have saved proves nothing', () => {
  expect(contents([written(change(null, '1'), { doubt: 'person' })], true)).toBeNull()
  expect(contents([written(change(null, '1'))], true)?.last).toBe('1')
})
