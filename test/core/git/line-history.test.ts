import { expect, test } from 'vitest'
import {
  commitsNamingIntents,
  filesOfCommit,
  mergesAmong,
  parseCitationWithTime,
  touchedPaths,
} from '../../../src/core/git/line-history.ts'

test('of a tree only regular files are read, with any name', () => {
  const out = [
    '100644 blob aa      12\tsrc/a.ts',
    '100755 blob bb       0\twith\ttab\nand line',
    '120000 blob cc       3\tlink',
    '160000 commit dd       -\tmodule',
    '',
  ].join('\0')
  expect(filesOfCommit('HEAD').parse(out)).toEqual([
    { path: 'src/a.ts', oid: 'aa', size: 12 },
    { path: 'with\ttab\nand line', oid: 'bb', size: 0 },
  ])
})

test('commits come with their parents, a root with none', () => {
  expect(commitsNamingIntents('HEAD').parse('aa \nbb aa\n')).toEqual([['aa'], ['bb', 'aa']])
  expect(mergesAmong(['a...b']).parse('cc aa bb\n')).toEqual([['aa', 'bb']])
})

test('touched paths are each listed once', () => {
  expect(touchedPaths(['HEAD']).parse('a.ts\0b c\0a.ts\0')).toEqual(new Set(['a.ts', 'b c']))
  expect(touchedPaths(['HEAD']).parse('')).toEqual(new Set())
})

test.each([
  ['aa 17 INT-001 INT-002 INT-001', { time: 17, intents: ['INT-001', 'INT-002'] }],
  ['aa 17', { time: 17, intents: [] }],
  ['aa 17 <!-- kotef:end --> INT-003, int-4 INT-5', { time: 17, intents: ['INT-5'] }],
])('the citation in %s', (line, citation) => {
  expect(parseCitationWithTime(line)).toEqual(['aa', citation])
})
