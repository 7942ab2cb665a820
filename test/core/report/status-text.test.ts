import { expect, test } from 'vitest'
import { statusText, type StatusReport } from '../../../src/report/status-text.ts'

const idle: StatusReport = {
  root: '/r',
  head: null,
  intent: null,
  session: null,
  claim: null,
  daemon: { running: false },
  ledger: { records: 0, head: null },
  untraced: [],
  outOfScope: [],
  problems: [],
}
const intent = { id: 'INT-1', name: 'pay', status: 'IN_PROGRESS', owned_scope: [] } as const
const linesOf = (status: Partial<StatusReport>) => statusText({ ...idle, ...status }).split('\n')

test('what is not there yet says which command begins it', () => {
  expect(linesOf({})).toEqual([
    expect.stringMatching(/^intent .*`kotef intent start <id>`$/),
    'session  none',
    expect.stringMatching(/^daemon .*`npx kotef-watch`$/),
    'ledger   0 records',
  ])
})

test('what is there is named', () => {
  const lines = linesOf({ intent, daemon: { running: true, pid: 7, since: 't' }, ledger: { records: 3, head: 'h' } })
  expect(lines).toEqual([
    'intent   INT-1 pay (IN_PROGRESS)',
    'session  none',
    'daemon   pid 7, since t',
    'ledger   3 records',
  ])
})

test.each([
  ['this session', 's', /held by this session$/],
  ['another session', 'other', /session other/],
])('a claim says that %s holds it', (_, holder, expected) => {
  const session = { id: 's', agent: 'x', claimedAt: 't' } as StatusReport['session']
  const claim = {
    session: holder,
    agent: null,
    host: 'h',
    pid: null,
    by: 1,
    worktree: '/w',
    gitDir: '.',
    claimedAt: 't',
  }
  const lines = linesOf({ session, claim: { intent: 'INT-1', claim, stale: null, here: true } })
  expect(lines.find(it => it.startsWith('claim'))).toMatch(expected)
})

test('a long list of paths is cut, and says by how many', () => {
  for (const count of [1, 20, 21, 100]) {
    const lines = linesOf({ untraced: Array.from({ length: count }, (_, n) => `p${n}`) })
    expect(lines.filter(it => it.startsWith('  p'))).toHaveLength(Math.min(count, 20))
    expect(lines.at(-1)).toBe(count > 20 ? `  … and ${count - 20} more` : `  p${count - 1}`)
  }
})

test('every problem has a line of its own', () => {
  expect(linesOf({ problems: ['one', 'two'] }).slice(-2)).toEqual(['problem  one', 'problem  two'])
})
