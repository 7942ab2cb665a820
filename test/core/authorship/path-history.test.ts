import { expect, test } from 'vitest'
import { pathHistories } from '../../../src/core/authorship/path-history.ts'
import type { OwnedText } from '../../../src/core/authorship/owned-text.ts'
import type { TracedFile, TraceRecord } from '../../../src/core/ledger/record.ts'
import { lineHashes } from '../../../src/core/ledger/content-hash.ts'

const hasher = { xxh32: (bytes: Uint8Array) => bytes[0] ?? 0, xxh64: () => '' }
const hashes = (letters: string) =>
  lineHashes(
    hasher,
    Array.from(letters).map(it => Buffer.from(it)),
  )

/** A write in one word: what it removed and put, from one text to another; the text's letters are its blob's oid. */
type Write = {
  by: string
  to: string
  from?: string
  path?: string
  movedFrom?: string
  at?: number
  put?: string
  cut?: number
}

function recordOf({ by, to, from, path = 'f', movedFrom, at = 1, put = '', cut = 0 }: Write): TraceRecord {
  const range = { start_line: at, end_line: at + put.length - 1, content_hash: '', line_hashes: hashes(put) }
  const file: TracedFile = {
    path,
    relative_path: path,
    conversations: [{ contributor: { type: 'human' }, ranges: put === '' ? [] : [range], related: [] }],
    kotef: {
      op: 'modify',
      before: from ?? null,
      after: to,
      removed: cut === 0 ? [] : [{ start_line: at, lines: cut }],
      ...(movedFrom === undefined ? {} : { from: movedFrom }),
    },
  }
  return { id: by, files: [file] } as unknown as TraceRecord
}

function follow(writes: readonly Write[], bases: Record<string, string> = {}) {
  return pathHistories(writes.map(recordOf), {
    bases: new Map(Object.entries(bases).map(([oid, it]) => [oid, Array.from(it).map(letter => letter.charCodeAt(0))])),
    isWeak: hash => hash === '}'.charCodeAt(0),
    ownerOf: ({ id }) => {
      return { contributor: { type: 'human' }, session: id, intent: null, attribution: 'person', record: id }
    },
  })
}

const shown = (text: OwnedText | undefined): string | undefined =>
  text?.map(it => `${it.hash === null ? '?' : String.fromCharCode(it.hash)}${it.owner?.session ?? ''}`).join(' ')

test.each<[string, Write[], Record<string, string>, string, string | undefined]>([
  ['a new file', [{ by: '1', to: 'ab', put: 'ab' }], {}, 'ab', 'a1 b1'],
  ['a write to a text of git’s', [{ by: '1', from: 'ab', to: 'axb', at: 2, put: 'x' }], { ab: 'ab' }, 'axb', 'a x1 b'],
  [
    'two writes',
    [
      { by: '1', to: 'ab', put: 'ab' },
      { by: '2', from: 'ab', to: 'axb', at: 2, put: 'x' },
    ],
    {},
    'axb',
    'a1 x2 b1',
  ],
  [
    'a text that came back',
    [
      { by: '1', to: 'a', put: 'a' },
      { by: '2', from: 'a', to: 'b', put: 'b', cut: 1 },
      { by: '3', from: 'b', to: 'a', put: 'a', cut: 1 },
    ],
    {},
    'a',
    'a1',
  ],
  ['a write to a text that nobody knows', [{ by: '1', from: '?', to: 'a', put: 'a' }], {}, 'a', undefined],
  [
    'a file that was moved',
    [
      { by: '1', to: 'ab', put: 'ab', path: 'old' },
      { by: '2', from: 'ab', to: 'abx', at: 3, put: 'x', movedFrom: 'old' },
    ],
    {},
    'abx',
    'a1 b1 x2',
  ],
])('%s is followed', (_, writes, bases, oid, expected) => {
  expect(shown(follow(writes, bases).get('f')?.texts.get(oid))).toBe(expected)
})

test('four lines that are brought back are their first owner’s, three are not', () => {
  const brought = (letters: string): string | undefined => {
    const writes = [
      { by: '1', to: letters, put: letters },
      { by: '2', from: letters, to: 'q', put: 'q', cut: letters.length },
      { by: '3', from: 'q', to: `q${letters}`, at: 2, put: letters },
    ]
    return shown(follow(writes).get('f')?.texts.get(`q${letters}`))
  }
  expect(brought('abcd')).toBe('q2 a1 b1 c1 d1')
  expect(brought('abc')).toBe('q2 a3 b3 c3')
  expect(brought('abc}')).toBe('q2 a3 b3 c3 }3')
})

test('each write leaves its lines with three more around them, also when the whole text is not known', () => {
  const put = { by: '1', from: 'base', to: 'new', at: 5, put: 'xy' }
  const [known] = follow([put], { base: 'abcdefghij' }).get('f')?.fragments ?? []
  expect(shown(known)).toBe('b c d x1 y1 e f g')
  const [unknown] = follow([put]).get('f')?.fragments ?? []
  expect(shown(unknown)).toBe('? ? ? x1 y1')
})

test('a range of a foreign ledger whose hashes are no text has lines without a hash', () => {
  const record = recordOf({ by: '1', to: 'a', put: 'a' })
  const [range] = record.files[0]?.conversations[0]?.ranges ?? []
  Object.assign(range ?? {}, { line_hashes: 7, end_line: 2 })
  const [fragment] =
    pathHistories([record], { bases: new Map(), isWeak: () => false, ownerOf: () => null! }).get('f')?.fragments ?? []
  expect(shown(fragment)).toBe('? ?')
})

test('of a text that nobody saw before, a write is known by its lines alone', () => {
  const record = recordOf({ by: '1', from: 'ab', to: 'abx', at: 3, put: 'x' })
  const files = record.files.map(it => ({ ...it, kotef: { ...it.kotef, opaque: 'unknown-before' as const } }))
  const ownerOf = () => ({ contributor: { type: 'human' }, session: '1', intent: null, record: '1' }) as never
  const known = { bases: new Map([['ab', [97, 98]]]), isWeak: () => false, ownerOf }
  const history = pathHistories([{ ...record, files }], known).get('f')
  expect(history?.fragments.map(shown)).toEqual(['x1'])
  expect(history?.texts.has('abx')).toBe(false)
})
