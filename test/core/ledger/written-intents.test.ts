import { expect, test } from 'vitest'
import type { PathChange } from '../../../src/core/git/changes.ts'
import type { RecordDraft } from '../../../src/core/ledger/record.ts'
import {
  intentsWritten,
  isForAnother,
  isWorkOfOthers,
  writtenForOthers,
} from '../../../src/core/ledger/written-intents.ts'

type Write = { path?: string; from?: string; before: string | null; after: string | null; intent: string | null }

function lineOf({ path = 'a', from, before, after, intent }: Write, n: number): string {
  const related = intent === null ? [] : [{ type: 'intent', url: `intent:${intent}`, value: intent }]
  const kotef = { op: 'modify', before, after, removed: [], ...(from === undefined ? {} : { from }) }
  const files = [{ path, conversations: [{ contributor: { type: 'ai' }, ranges: [], related }], kotef }]
  return JSON.stringify({ id: `r${n}`, files, metadata: { 'dev.kotef': { event: 'write' } } })
}

const entry = (oid: string | null) => oid && { mode: '100644', oid }
const change = (before: string | null, after: string | null, path = 'a'): PathChange => ({
  path,
  before: entry(before) || null,
  after: entry(after) || null,
})
const write = (before: string | null, after: string | null, intent: string | null = 'INT-1'): Write => ({
  before,
  after,
  intent,
})

test.each<[string, Write[], PathChange, string[]]>([
  ['of the write since HEAD', [write('h', 'x')], change('h', 'x'), ['INT-1']],
  ['of each write since HEAD', [write('h', 'x'), write('x', 'y', 'INT-2')], change('h', 'y'), ['INT-2', 'INT-1']],
  ['not of what is in HEAD', [write('g', 'h'), write('h', 'x', 'INT-2')], change('h', 'x'), ['INT-2']],
  ['not of what is not staged', [write('h', 'x'), write('x', 'y', 'INT-2')], change('h', 'x'), ['INT-1']],
  ['of nothing that is in HEAD, when nothing was recorded since', [write('g', 'h')], change('h', 'x'), []],
  ['of nothing where the records lead nowhere', [write('p', 'q')], change('h', 'x'), []],
  ['of a new file', [write('h', null, 'INT-2'), write(null, 'x')], change(null, 'x'), ['INT-1']],
  ['of a deletion', [write('h', null)], change('h', null), ['INT-1']],
  ['of what a person edited afterwards', [write('h', 'x'), write('x', 'y', null)], change('h', 'y'), ['INT-1']],
  ['of what was staged by parts', [write('h', 'x')], change('h', 'part'), ['INT-1']],
  [
    'of what wrote the staged content alone, where nothing leads to HEAD',
    [write('p', 'q'), write('q', 'x', 'INT-2')],
    change('h', 'x'),
    ['INT-2'],
  ],
  ['of a rename, at both ends', [{ ...write('h', 'h'), path: 'b', from: 'a' }], change('h', null), ['INT-1']],
  ['of another path', [{ ...write('h', 'x'), path: 'b' }], change('h', 'x'), []],
  ['of nothing', [], change('h', 'x'), []],
])('the intents %s', (_, writes, staged, intents) => {
  const found = intentsWritten(writes.map(lineOf).join('\n'), [staged])
  expect(found.get('a') ?? []).toEqual(intents)
})

test('a later claim of a write says its intent, and what is not a record is passed over', () => {
  const claim = { event: 'claimed', session: 's', agent: 'a', model: null, intent: 'INT-2', path: 'a', records: ['r0'] }
  const lines = ['cut off","event":"write"}', lineOf(write('h', 'x', null), 0), '{"event":"write"}']
  lines.push(JSON.stringify({ id: 'c', files: [], metadata: { 'dev.kotef': claim } }))
  expect(intentsWritten(lines.join('\n'), [change('h', 'x')])).toEqual(new Map([['a', ['INT-2']]]))
})

test('the paths that were written for others, at both ends of a rename', () => {
  const writes = [write('h', 'x'), { ...write('h', 'h', 'INT-2'), path: 'c', from: 'b' }, write('x', 'y', null)]
  const found = writtenForOthers(writes.map(lineOf).join('\n'), 'INT-1')
  expect([...found.keys()].toSorted()).toEqual(['b', 'c'])
})

test('a record is for another intent than one when it names one', () => {
  const { files } = JSON.parse(lineOf(write('h', 'x'), 0)) as RecordDraft
  const event = { event: 'write', attribution: 'unknown', source: 'daemon' } as const
  expect(['INT-1', 'INT-2'].map(it => isForAnother({ event, files: files ?? [] }, it))).toEqual([false, true])
  const claim = { event: 'claimed', session: 's', agent: 'a', model: null, path: 'a', records: [] } as const
  expect(isForAnother({ event: { ...claim, intent: 'INT-2' } }, 'INT-1')).toBe(true)
  expect(isForAnother({ event: { ...claim, intent: null } }, 'INT-1')).toBe(false)
})

test.each<[string, Write[], string[], boolean]>([
  ['of another intent', [write('h', 'x', 'INT-2')], ['INT-1'], true],
  ['of its own', [write('h', 'x')], ['INT-1'], false],
  ['of both', [write('h', 'x'), write('x', 'y', 'INT-2')], ['INT-1'], false],
  ['of no known intent', [write('h', 'x', null)], ['INT-1'], false],
  ['of nobody on record', [], ['INT-1'], false],
])('a change %s is the work of others: %j by %j: %s', (_, writes, own, is) => {
  const text = writes.map(lineOf).join('\n').replaceAll('"write"', '"write","attribution":"claimed"')
  expect(isWorkOfOthers(text, change('h', writes.at(-1)?.after ?? 'x'), own)).toBe(is)
})
