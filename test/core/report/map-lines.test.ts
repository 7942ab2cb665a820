import { expect, test } from 'vitest'
import type { MapEntry } from '../../../src/core/code/map/map-entry.ts'
import type { FoundPlace } from '../../../src/core/code/map/where.ts'
import { mapJson, mapLines, placeLines } from '../../../src/core/report/map-lines.ts'

const entry = (path: string, kind: string, name: string, intent = 'INT-001'): MapEntry => ({
  ...{ intent, path, kind, name, hash: 'xxh64:1', commits: ['c1', 'c2'] },
})
const map = {
  entries: [entry('a.ts', 'class', 'A'), entry('a.ts', 'method', 'A.m\u202e'), entry('b.md', 'file', '', 'INT-002')],
  names: new Map([['INT-001', 'work']]),
}

test('a map as text', () => {
  expect(mapLines(map)).toEqual([
    'INT-001  work',
    '  a.ts',
    '    class     A  c1 c2',
    String.raw`    method    "A.m\u202e"  c1 c2`,
    '',
    'INT-002',
    '  b.md',
  ])
})

test('a map as JSON', () => {
  expect(mapJson(map)).toEqual({
    intents: [
      {
        id: 'INT-001',
        name: 'work',
        files: [
          {
            path: 'a.ts',
            declarations: [
              { kind: 'class', name: 'A', hash: 'xxh64:1', commits: ['c1', 'c2'] },
              { kind: 'method', name: 'A.m\u202e', hash: 'xxh64:1', commits: ['c1', 'c2'] },
            ],
          },
        ],
      },
      {
        id: 'INT-002',
        name: null,
        files: [{ path: 'b.md', declarations: [], hash: 'xxh64:1', commits: ['c1', 'c2'] }],
      },
    ],
  })
})

const place = (kind: string, more: Partial<FoundPlace> = {}): FoundPlace => ({
  ...{
    kind,
    name: 'f',
    path: 'a.ts',
    line: 3,
    intents: ['INT-001'],
    score: 1,
    reasons: [{ word: 'w', field: 'name', found: 'w', how: 'exact' }],
  },
  ...more,
})

test.each<[place: FoundPlace, line: string]>([
  [
    place('function', {
      reasons: [
        { word: 'cards', field: 'name', found: 'card', how: 'exact' },
        { word: 'pay', field: 'path', found: 'payment', how: 'prefix' },
        { word: 'und', field: 'intent', found: 'refund', how: 'part' },
      ],
    }),
    'a.ts:3  function  f  [INT-001]  cards (name), pay begins payment (path), und in refund (intent)',
  ],
  [place('file', { name: '', line: null, intents: [] }), 'a.ts  w (name)'],
  [place('intent', { name: 'work', path: null }), 'INT-001  intent  work  w (name)'],
  [
    place('lesson', { name: 'Amounts\nare cents', path: null, intents: [] }),
    String.raw`lesson  "Amounts\nare cents"  w (name)`,
  ],
])('a place as a line: %#', (found, line) => {
  expect(placeLines([found])).toEqual([line])
})
