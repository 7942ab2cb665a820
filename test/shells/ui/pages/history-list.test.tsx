import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { Happening } from '../../../../src/shells/ui/pages/happenings.ts'
import { DaysChart, HistoryList } from '../../../../src/shells/ui/pages/history-list.tsx'
import { pageCounts } from '../../../rig/page-counts.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const row = { at: '2026-03-10T11:00:00Z', path: null, session: null, commit: null, writes: null }

const listed = (...happenings: readonly Happening[]): string =>
  renderToString(HistoryList({ intent: 'INT-001', happenings, now }))

test('an entry has its kind, its words, and links to its file, session and commit', () => {
  const html = listed(
    { ...row, kind: 'violation', what: '<b>outside</b>', path: 'lib/b.ts', commit: 'c'.repeat(40) },
    { ...row, kind: 'session', what: 'Selected by aider', session: 's-1' },
  )
  expect(html).toContain('kind-violation')
  expect(html).toContain('&lt;b>outside')
  expect(html).toContain('href="files/lib/b.ts"')
  expect(html).toContain('href="records?session=s-1"')
  expect(html).toContain(`href="ranges/${'c'.repeat(40)}%5E!"`)
})

test('the writes of a day are a number that leads to them', () => {
  const html = listed({ ...row, kind: 'writes', what: '', writes: { day: '2026-03-10', count: 4 } })
  expect(pageCounts(html)).toEqual({ '4 writes on 2026-03-10': 'intents/INT-001/writes?day=2026-03-10' })
})

test('the days are bars of attributes alone, each with its number', () => {
  const days = [
    { day: '2026-03-09', count: 1, last: '' },
    { day: '2026-03-10', count: 4, last: '' },
  ]
  const html = renderToString(<DaysChart intent="INT-001" days={days} />)
  expect([...html.matchAll(/<rect [^>]*height="(\d+)"/g)].map(it => it[1])).toEqual(['10', '40'])
  expect(html).toContain('<title>2026-03-10: 4</title>')
  expect(html).not.toContain('style=')
  expect(renderToString(<DaysChart intent="INT-001" days={days.slice(0, 1)} />)).toBe('')
})
