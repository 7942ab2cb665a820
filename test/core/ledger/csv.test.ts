import { expect, test } from 'vitest'
import { recordsToCsv } from '../../../src/core/ledger/csv.ts'
import type { TracedRange, TraceRecord } from '../../../src/core/ledger/record.ts'
import { tracedFile } from '../../../src/core/ledger/traced-file.ts'

const range = (start_line: number): TracedRange => {
  return { start_line, end_line: start_line + 1, content_hash: `h${start_line}`, line_hashes: '' }
}

function recordOf(path: string, ranges: readonly TracedRange[], revision?: string): TraceRecord {
  const change = { op: 'modify', before: null, after: null, removed: [] } as const
  const credit = { contributor: { type: 'ai', model_id: 'm' }, session: 's/1', intent: 'INT-1' } as const
  const chain = { phase: 'working', writer: 'w', seq: 0, prev: null, hash: 'h' } as const
  return {
    version: '0.1.0',
    id: 'i',
    timestamp: 't',
    ...(revision === undefined ? {} : { vcs: { type: 'git', revision } }),
    tool: { name: 'kotef', version: '1' },
    files: [tracedFile(path, change, { ranges, credit })],
    metadata: { 'dev.kotef': { event: 'write', attribution: 'claimed', source: 'daemon', ...chain } },
  }
}

const rowsOf = (...records: TraceRecord[]): string[] => recordsToCsv(records).split('\n').slice(1)

test('each range has a row, and a file without ranges has one', () => {
  expect(rowsOf(recordOf('a', [range(1), range(5)], 'c'), recordOf('b', []))).toEqual([
    't,c,a,modify,1,2,h1,ai,m,INT-1,s/1,',
    't,c,a,modify,5,6,h5,ai,m,INT-1,s/1,',
    't,,b,modify,,,,ai,m,INT-1,s/1,',
  ])
})

test('the first line names the columns, and every row has as many cells', () => {
  const lines = recordsToCsv([recordOf('a', [range(1)])]).split('\n')
  expect(new Set(lines.map(it => it.split(',').length))).toEqual(new Set([12]))
})

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+x', "'+x"],
  ['-x', "'-x"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['=a,"b', '"\'=a,""b"'],
])('the path %j is the cell %j: no separator in it counts, and no spreadsheet computes it', (path, cell) => {
  const [, ...rows] = recordsToCsv([recordOf(path, [])]).split('t,,')
  expect(rows.join('')).toBe(`${cell},modify,,,,ai,m,INT-1,s/1,`)
})

test('a write has the class of the change to its content', () => {
  const write = recordOf('a', [range(1)])
  const classified = (after: string | null): TraceRecord => ({
    ...write,
    files: [],
    metadata: {
      'dev.kotef': {
        ...write.metadata['dev.kotef'],
        ...{ event: 'classified', path: 'a', before: null, after, intent: null },
        ...{ mutation_class: 'FORMAT', evidence: 'why' },
      },
    },
  })
  expect(rowsOf(write, classified(null))).toEqual(['t,,a,modify,1,2,h1,ai,m,INT-1,s/1,FORMAT'])
  expect(rowsOf(write, classified('other'))).toEqual(['t,,a,modify,1,2,h1,ai,m,INT-1,s/1,'])
})
