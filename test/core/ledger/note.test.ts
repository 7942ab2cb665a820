import { expect, test } from 'vitest'
import {
  type CommitLine,
  type CommitRecord,
  commitRecord,
  notedFile,
  isIntactNote,
} from '../../../src/core/ledger/commit-record.ts'
import { notedRanges, parseNote } from '../../../src/core/ledger/note.ts'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'

const hasher = await loadHasher()
const person = { contributor: { type: 'human' }, session: 's', intent: 'INT-1', attribution: 'person' } as const
const agent = { contributor: { type: 'ai' }, session: 'x', intent: null, attribution: 'claimed' } as const
const unknown = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' } as const

const lineOf = (at: number, author: typeof person | typeof agent | typeof unknown = person): CommitLine => {
  return { at, bytes: Buffer.from(`line ${at}`), ...author }
}

function recordOf(lines: readonly CommitLine[], change: { from?: string; before?: string | null } = {}): CommitRecord {
  const file = { path: 'a', from: null, before: 'b', after: 'c', lines, ...change }
  return commitRecord([notedFile(file, hasher)], { commit: 'c'.repeat(40), timestamp: 't', version: '1', head: null })
}

const rangesOf = (record: CommitRecord): string[] =>
  notedRanges([record], 'a').map(it => `${it.range.start_line}-${it.range.end_line} ${it.author.contributor.type}`)

test.each<[string, CommitLine[], string[]]>([
  ['no lines', [], []],
  ['lines one after the other', [1, 2, 3].map(it => lineOf(it)), ['1-3 human']],
  ['lines apart', [1, 2, 5].map(it => lineOf(it)), ['1-2 human', '5-5 human']],
  ['lines of two authors', [lineOf(1), lineOf(2, agent), lineOf(3)], ['1-1 human', '3-3 human', '2-2 ai']],
  ['the one that knows more last', [lineOf(1, agent), lineOf(2, unknown)], ['2-2 unknown', '1-1 ai']],
])('%s are as few ranges as they can be', (_, lines, expected) => {
  expect(rangesOf(recordOf(lines))).toEqual(expected)
})

test.each([
  ['create', { before: null }],
  ['modify', {}],
  ['rename', { from: 'old' }],
] as const)('a file is noted as %s', (op, change) => {
  expect(recordOf([], change).files[0]?.kotef.op).toBe(op)
})

test('the same facts make the same record, and other facts another one', () => {
  expect(recordOf([lineOf(1)])).toEqual(recordOf([lineOf(1)]))
  expect(recordOf([lineOf(1)]).id).not.toBe(recordOf([lineOf(2)]).id)
  expect(recordOf([]).id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('whatever is changed in the record of a commit, it is not intact any more', () => {
  const record = recordOf([lineOf(1), lineOf(2, agent)])
  expect(isIntactNote(record)).toBe(true)
  const text = JSON.stringify(record)
  const places = [...text.matchAll(/:"([^"])/g)].map(it => it.index + 2)
  expect(places.length).toBeGreaterThan(20)
  for (const at of places) {
    const changed = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
    expect(isIntactNote(JSON.parse(changed)), changed).toBe(false)
  }
})

test('a note reads back as its records, and counts what is none', () => {
  const record = recordOf([lineOf(1, agent)])
  const { id: _, ...rest } = record
  const lines = [record, { ...rest, id: 5 }, [], { ...record, files: [{ path: 'a' }] }].map(it => JSON.stringify(it))
  expect(parseNote(['', ...lines, 'no JSON', ''].join('\n'))).toEqual({ records: [record], bad: 4 })
})

test('a range that has not a hash for each of its lines says nothing', () => {
  const record = recordOf([lineOf(1), lineOf(2)])
  for (const end of [0, 1, 3, 9]) {
    const changed = JSON.parse(JSON.stringify(record).replace('"end_line":2', `"end_line":${end}`)) as CommitRecord
    expect(rangesOf(changed), `end ${end}`).toEqual([])
  }
})

test('only the ranges of the path that is asked for are given', () => {
  expect(notedRanges([recordOf([lineOf(1)])], 'b')).toEqual([])
})
