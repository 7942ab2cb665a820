import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { IntentsFacts } from '../../../../src/shells/ui/pages/intent-facts.ts'
import { type IntentListFacts, IntentListPage } from '../../../../src/shells/ui/pages/intent-list-page.tsx'
import { IntentPage } from '../../../../src/shells/ui/pages/intent-page.tsx'
import { IntentsPage } from '../../../../src/shells/ui/pages/intents-page.tsx'
import { sessionsOf } from '../../../../src/shells/ui/pages/intent-sessions.tsx'
import { eventRecord, writeRecord } from '../../../rig/intent-records.ts'
import { pageCounts } from '../../../rig/page-counts.ts'
import { aHolder, anIntent, intentPageFacts } from '../../../rig/intent-page-facts.ts'

const KNOWN = { isCurrent: true, share: 1, failure: null, isKnown: true }
const HOSTILE = '<script>alert(1)</script>"\u202e\u001b[31m'
const now = Date.parse('2026-03-10T12:00:00Z')

const intents: IntentsFacts = {
  ...{ now, total: 2, only: null, from: 0, listed: 2, lines: KNOWN },
  statuses: [
    { status: 'IN_PROGRESS', count: 1 },
    { status: 'PENDING', count: 1 },
  ],
  rows: [
    {
      ...{ intent: anIntent(), holders: [aHolder()], records: 41, lines: { added: 9, alive: 7 } },
      lastWrite: '2026-03-10T11:58:00Z',
    },
    { intent: anIntent({ id: 'INT-002', status: 'PENDING' }), holders: [], records: 0, lines: null, lastWrite: null },
  ],
}

test('the list of intents has status, holders, scope, living lines and the last write', () => {
  const html = renderToString(IntentsPage(intents))
  expect(pageCounts(html)).toEqual({
    '1 live sessions of INT-001': 'intents/INT-001/sessions?kind=live',
    '7 lines of INT-001 in HEAD': 'lines?alive=yes&policy=no&intent=INT-001',
    '41 records of INT-001': 'records?intent=INT-001',
    '0 records of INT-002': 'records?intent=INT-002',
  })
  expect(html).toContain('2 min ago')
  expect(html).toContain('aider')
  expect(html).toMatch(/nobody/)
  expect(html).toMatch(/counting/)
  expect(html).toContain('href="intents?status=IN_PROGRESS"')
})

test('what is still being counted is said, and never shown as nothing', () => {
  const lines = { isCurrent: false, share: 0.4, failure: null, isKnown: false }
  expect(renderToString(IntentsPage({ ...intents, lines }))).toContain('still being counted (40 %)')
  const facts = intentPageFacts(anIntent(), {
    lines: { ...lines, value: null },
    declarations: { ...lines, value: null },
  })
  const html = renderToString(IntentPage(facts))
  expect(html).toContain('The lines of the intent are still being counted')
  expect(html).toContain('The declarations of HEAD are still being counted')
  expect(html).not.toContain('No commit has added a line')
})

test('each number of an intent leads to its list', () => {
  const facts = intentPageFacts(anIntent(), {
    sessions: { total: 12, rows: [aHolder()] },
    lines: {
      ...{ isCurrent: true, share: 1, failure: null },
      value: { added: 9, alive: 7, files: { total: 3, rows: [{ path: 'src/a b', added: 9, alive: 7 }] } },
    },
    declarations: { isCurrent: true, share: 1, failure: null, value: { total: 5, rows: [] } },
    commits: { total: 6, rows: [] },
    history: { total: 20, rows: [] },
    kinds: [{ kind: 'violation', count: 2 }],
    records: { all: 60_000, read: 5_000 },
  })
  expect(pageCounts(renderToString(IntentPage(facts)))).toEqual({
    '12 sessions of INT-001': 'intents/INT-001/sessions',
    '4 records of the session': 'records?intent=INT-001&session=s-1',
    '3 files of INT-001': 'intents/INT-001/files',
    '7 lines in HEAD': 'lines?alive=yes&file=src%2Fa+b&policy=no&intent=INT-001',
    '9 added lines': 'lines?file=src%2Fa+b&policy=no&intent=INT-001',
    '5 declarations of INT-001': 'intents/INT-001/declarations',
    '6 commits of INT-001': 'intents/INT-001/commits',
    '20 history of INT-001': 'intents/INT-001/history',
    '60000 records of INT-001': 'records?intent=INT-001',
    '2 violations': 'intents/INT-001/history?kind=violation',
  })
  expect(renderToString(IntentPage(facts))).toContain('newest 5,000 of')
})

test('hostile text of an intent, a session and a commit is text', () => {
  const intent = anIntent({
    ...{ id: '<script>', name: HOSTILE, description: HOSTILE, owned_scope: [HOSTILE], constraints: [HOSTILE] },
    ...{ non_goals: [HOSTILE], acceptance_criteria: [HOSTILE], depends_on: [HOSTILE] },
    related_specs: [{ type: HOSTILE, url: 'javascript:alert(1)' }],
  })
  const sessions = { total: 1, rows: [aHolder({ id: HOSTILE, agent: HOSTILE, elsewhere: HOSTILE })] }
  const commits = {
    total: 1,
    rows: [
      {
        commit: HOSTILE,
        date: HOSTILE,
        committed: HOSTILE,
        author: HOSTILE,
        subject: HOSTILE,
        intents: [],
        governance: null,
      },
    ],
  }
  const html = renderToString(IntentPage(intentPageFacts(intent, { sessions, commits })))
  expect(html).not.toContain('<script')
  for (const it of ['\u001b', '\u202e']) expect(html).not.toContain(it)
  expect(html).not.toContain('href="javascript:')
  expect(html).toContain('href="intents/%3Cscript%3E/sessions"')
})

const list = (more: Partial<IntentListFacts>): string =>
  renderToString(
    IntentListPage({
      ...{ now, intent: anIntent(), query: {}, reading: KNOWN, records: null },
      list: { name: 'sessions', part: { total: 1, rows: [aHolder()] } },
      ...more,
    }),
  )

test('a list says how long it is, what it is filtered by, and what it was cut from', () => {
  expect(list({})).toContain('1 entry')
  const filtered = list({ query: { kind: 'live' }, records: { all: 9_000, read: 5_000 } })
  expect(filtered).toContain('only <bdi>live</bdi>')
  expect(filtered).toContain('href="intents/INT-001/sessions">Show all')
  expect(filtered).toContain('Of the newest 5,000 of')
})

test('a long list has pages that keep the filter', () => {
  const rows = Array.from({ length: 100 }, (_, n) => aHolder({ id: `s-${n}` }))
  const html = list({ query: { kind: 'live', from: 100 }, list: { name: 'sessions', part: { total: 250, rows } } })
  expect(html).toContain('101 to 200 of 250')
  expect(html).toContain('href="intents/INT-001/sessions?kind=live&amp;from=200"')
})

test('the history and the writes of a list are shown as on other pages', () => {
  const record = {
    ...{ id: 'r', at: '2026-03-10T11:00:00Z', event: 'write', op: 'modify', path: 'src/a.ts', added: 1, removed: 0 },
    ...{ intent: 'INT-001', session: null, author: null, detail: '' },
  }
  expect(list({ list: { name: 'history', part: { total: 0, rows: [] } } })).toContain('Nothing of this kind')
  expect(list({ list: { name: 'writes', part: { total: 1, rows: [record] } } })).toContain('modify')
})

test('the sessions of an intent are those of its records and those that hold it, the live ones first', () => {
  const records = [
    eventRecord('2026-03-09T10:00:00Z', {
      event: 'session-started',
      session: 'old',
      intent: 'INT-001',
      agent: 'codex',
    }),
    writeRecord('2026-03-09T10:01:00Z', 'a', 'old'),
    eventRecord('2026-03-09T10:02:00Z', { event: 'session-ended', session: 'old', intent: 'INT-001' }),
    writeRecord('2026-03-10T10:01:00Z', 'a', 'live'),
  ]
  const found = sessionsOf(records, [aHolder({ id: 'live', records: 0 })])
  expect(found.map(it => [it.id, it.agent, it.isLive, it.records, it.endedAt])).toEqual([
    ['live', 'aider', true, 1, null],
    ['old', 'codex', false, 3, '2026-03-09T10:02:00Z'],
  ])
})
