import { expect, test } from 'vitest'
import type { LoggedCommit } from '../../../src/core/git/log.ts'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { newestItems, type TraceItem, withCommits } from '../../../src/core/report/trace-list.ts'

/** A record at a time; `about` is the commit that it names, and `head` was HEAD. */
function record(time: string, about?: string, { event = 'initialised', head = 'older' } = {}): TraceRecord {
  const own = { event, ...(about === undefined ? {} : { commit: about }) }
  const files = event === 'write' ? [{}] : []
  const facts = { id: time, timestamp: `2026-01-02T03:04:${time}Z`, vcs: { type: 'git', revision: head }, files }
  return { ...facts, metadata: { 'dev.kotef': own } } as unknown as TraceRecord
}

const commit = (name: string, second: string): LoggedCommit =>
  ({ commit: name, committed: `2026-01-02T03:04:${second}Z` }) as LoggedCommit

const nameOf = (it: TraceItem): string => ('record' in it ? it.record.id : it.commit.commit)

test.each<[promise: string, records: TraceRecord[], commits: LoggedCommit[], expected: string]>([
  ['records keep the order of the ledger', [record('05.300'), record('05.200')], [], '05.300 05.200'],
  [
    'a commit is after the records of its second',
    [record('05.300'), record('06.100')],
    [commit('c', '05')],
    '05.300 c 06.100',
  ],
  ['commits of one second keep their order', [record('05.300')], [commit('a', '05'), commit('b', '05')], '05.300 a b'],
  [
    'a commit is before what is said of it',
    [record('05.300'), record('05.400', 'c')],
    [commit('c', '05')],
    '05.300 c 05.400',
  ],
  [
    'a commit is before what happened when it was HEAD',
    [record('05.300'), record('05.400', undefined, { head: 'c' })],
    [commit('c', '05')],
    '05.300 c 05.400',
  ],
  [
    'a write and its violation that are recorded after the commit of their second are before it',
    [
      record('05.300', undefined, { event: 'write', head: 'c' }),
      record('05.4', undefined, { event: 'violation', head: 'c' }),
    ],
    [commit('c', '05')],
    '05.300 05.4 c',
  ],
  ['a commit may be the first and the last', [record('05.300')], [commit('a', '04'), commit('b', '09')], 'a 05.300 b'],
])('%s', (_, records, commits, expected) => {
  expect(withCommits(records, commits).map(nameOf).join(' ')).toBe(expected)
})

test.each<[limit: number | null, older: number, names: string, cut: string | null]>([
  [null, 0, '05.300 c 06.100', null],
  [3, 0, '05.300 c 06.100', null],
  [3, 4, '05.300 c 06.100', '… 4 older records'],
  [2, 4, 'c 06.100', '… 5 older records'],
  [1, 0, '06.100', '… 1 older record'],
])('of three items and a limit of %s, with %i more, the newest are listed', (limit, older, names, cut) => {
  const items = withCommits([record('05.300'), record('06.100')], [commit('c', '05')])
  const listed = newestItems(items, { limit, older })
  expect([listed.newest.map(nameOf).join(' '), listed.cut]).toEqual([names, cut])
})

test('a commit that is cut off is announced as well', () => {
  const items = withCommits([record('05.300')], [commit('c', '04')])
  expect(newestItems(items, { limit: 1, older: 0 }).cut).toBe('… 1 older commit')
})
