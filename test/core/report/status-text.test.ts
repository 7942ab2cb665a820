import { expect, test } from 'vitest'
import { statusText, type StatusReport } from '../../../src/core/report/status-text.ts'

const NO_EXTENT = { bytes: 0, compressed: 0, onDisk: 0 }
const idle: StatusReport = {
  root: '/r',
  governed: true,
  unknown: null,
  head: null,
  intent: null,
  session: null,
  work: [],
  commit: null,
  sessions: [],
  running: [],
  claim: null,
  elsewhere: [],
  daemon: { running: false, starting: false },
  ledger: { records: 0, head: null, closed: null, extent: NO_EXTENT },
  untraced: [],
  outOfScope: [],
  push: [],
  unsharedNotes: 0,
  conflicts: [],
  stopped: [],
  requests: [],
  problems: [],
}
const intent = { id: 'INT-1', name: 'pay', status: 'IN_PROGRESS', owned_scope: [] } as const
const NOW = Date.parse('2026-01-02T12:00:00Z')
const linesOf = (status: Partial<StatusReport>) => statusText({ ...idle, ...status }, NOW).split('\n')

test('what is not there yet says which command begins it', () => {
  expect(linesOf({})).toEqual([
    expect.stringMatching(/^intent .*`kotef intent start <id>`$/),
    'session  none',
    expect.stringMatching(/^daemon .*`npx kotef-watch`$/),
    'ledger   0 records',
  ])
})

test('without a session the open work is named, and what nobody’s work owns (solo N23)', () => {
  const work = [{ intent: 'INT-1', name: 'pay', files: 2 }]
  expect(linesOf({ work, outOfScope: ['package.json'] }).join('\n')).toMatch(
    /^intent {3}none.*\n {9}INT-1 pay: 2 changed files\nsession.*\noutside every intent:\n {2}package.json$/s,
  )
})

test('a daemon that a hook is starting needs nobody', () => {
  expect(linesOf({ daemon: { running: false, starting: true } })).toContain('daemon   starting')
})

test('a command of an agent that runs is named, with what a person says who writes meanwhile', () => {
  const running = [{ agent: 'claude', session: 's', since: '2026-01-02T11:00:00Z' }]
  expect(linesOf({ running })).toContain(
    'running  a command of claude, since 11:00, 1 h ago; if you save a file meanwhile, say so: `kotef mine PATH`',
  )
})

test('what is there is named', () => {
  const lines = linesOf({
    intent,
    daemon: { running: true, pid: 7, since: '2026-01-02T10:00:00Z' },
    ledger: { records: 3, head: 'h', closed: null, extent: { ...NO_EXTENT, bytes: 2_000_000 } },
  })
  expect(lines).toEqual([
    'intent   INT-1 pay (IN_PROGRESS)',
    'session  none',
    'daemon   pid 7, since 10:00, 2 h ago',
    'ledger   3 records, 2.0 MB',
  ])
})

test.each([
  [{ intents: ['INT-1', 'INT-2'], by: 'ledger' as const, owners: '' }, 'INT-1 and INT-2 (the staged lines'],
  [{ intents: [], by: null, owners: 'INT-1 or INT-2 owns a' }, 'needs a trailer: INT-1 or INT-2 owns a'],
  [{ intents: [], by: null, owners: '' }, 'needs a trailer'],
])('what is staged is named with its intents: %j', (commit, text) => {
  expect(linesOf({ commit }).find(it => it.startsWith('commit'))).toContain(`commit   ${text}`)
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

test('a repository that nobody governs is told of kotef init alone (solo B5)', () => {
  expect(linesOf({ governed: false, problems: ['one'] })).toEqual([expect.stringMatching(/`kotef init`$/)])
})

test('every session has a line, and each request the command that answers it (solo B5, solo A11)', () => {
  const sessionOf = (id: string, agent: string | null, intent: string) =>
    ({ id, agent, intent, claimedAt: '2026-01-02T11:00:00Z' }) as NonNullable<StatusReport['session']>
  const [first, second] = [sessionOf('a', 'claude', 'INT-1'), sessionOf('b', null, 'INT-2')]
  const requests = [
    { id: '451e4a5f-x', agent: 'claude', intent: 'INT-001', wants: ['lib/**'] },
  ] as unknown as StatusReport['requests']
  expect(linesOf({ session: first, sessions: [first, second], requests })).toEqual(
    expect.arrayContaining([
      'session  claude, since 11:00, 1 h ago',
      '         INT-2: a person, since 11:00, 1 h ago',
      'request  claude asks for lib/** (INT-001): `kotef approve 451e4a5f`',
    ]),
  )
})

test('an agent that was stopped is said first, with its reason and the way on (look A2)', () => {
  const run = {
    ...{ session: 'c1a0de00-1', agent: 'claude', intent: 'INT-1', status: 'aborted_stuck', rule: 'same-error' },
    ...{ evidence: 'Bash: make all failed 4 times', at: '2026-01-02T11:00:00Z', isLive: true },
  }
  expect(linesOf({ intent, stopped: [run] }).slice(0, 3)).toEqual([
    'stopped  claude on INT-1: Bash: make all failed 4 times (same-error)',
    '         Write to it how to go on: your next message begins a new run: `kotef runs show c1a0de00`',
    'intent   INT-1 pay (IN_PROGRESS)',
  ])
  const [, way] = linesOf({ stopped: [{ ...run, session: "a'b", agent: null, isLive: false }] })
  expect(way).toBe("         Its session is over: resume it, or start another one: `kotef runs show 'a'\\''b'`")
})

test('what will stop the push is named, with one hint for each commit (solo B5)', () => {
  const finding = { rule: 'r', level: 'block', path: null, message: 'x', hint: 'h' } as const
  const lines = linesOf({ push: [finding, { ...finding, message: 'y' }] })
  expect(lines.slice(-4)).toEqual(['push     will be stopped: 2 problems', '  block  x', '  block  y', '         h'])
})
