import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { periodsBetween } from '../../../../src/shells/ui/pages/periods.ts'
import { authorChart } from '../../../../src/shells/ui/pages/stats-chart.ts'
import type { LineFacts, LineTally, StatsFacts } from '../../../../src/shells/ui/pages/stats-facts.ts'
import { StatsLines } from '../../../../src/shells/ui/pages/stats-lines.tsx'
import { StatsPage } from '../../../../src/shells/ui/pages/stats-page.tsx'
import { StatsViolations } from '../../../../src/shells/ui/pages/stats-violations.tsx'

const tally: LineTally = { lines: 12, ai: 6, human: 3, mixed: 1, unknown: 1, kotef: 1, alive: 9 }
const periods = periodsBetween(Date.UTC(2026, 2, 1, 12), Date.UTC(2026, 2, 2, 12))
const HOSTILE = '<script>alert(1)</script>\u001b[2J\u202e'

const lines: LineFacts = {
  ...{ commits: 3, older: 1, governance: 2, total: tally },
  intents: [
    { name: HOSTILE, ...tally },
    { name: null, ...tally },
  ],
  models: [
    { name: 'maker/one', ...tally },
    { name: null, ...tally },
  ],
  people: [{ name: HOSTILE, ...tally }],
  periods: periods.map(period => ({ period, ...tally })),
  classes: [{ name: 'FORMAT', changes: 4 }],
}

const violations = {
  ...{ violations: 5, requested: 3, granted: 1, rejected: 2, refused: 4 },
  rules: [{ rule: HOSTILE, count: 5 }],
  periods: periods.slice(0, 1).map(period => ({ period, count: 5 })),
}

const known = { isCurrent: true, share: 1, failure: null }
const noFilter = { since: null, intent: null, problem: null }
const facts: StatsFacts = {
  ...{ filter: noFilter, intents: [HOSTILE, '<b>', 'INT-001'] },
  lines: { ...known, value: lines },
  surviving: { ...known, isKnown: true },
  violations: { ...known, value: violations },
  refused: [{ session: 'abcdef123456', agent: HOSTILE, path: 'a\n<b>.ts', code: 'scope-violation' }],
}

const html = (changed: Partial<StatsFacts> = {}) => renderToString(<StatsPage {...facts} {...changed} />)
const links = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, it = '']) => it.replaceAll('&amp;', '&'))

test('each number is a link to the list of what it counts', () => {
  const found = links(html())
  for (const it of [
    ...['lines', 'ranges?kind=counted', 'ranges?kind=older', 'ranges?kind=governance', 'lines?without=intent'],
    ...['lines?author=unknown&without=intent', 'lines?alive=yes&without=intent', 'lines?author=ai&model=maker%2Fone'],
    ...['lines?author=ai&without=model', 'classes?class=FORMAT', 'violations', 'records?event=rejected'],
  ])
    expect(found, it).toContain(it)
})

test('the lines of unknown authors and those of kotef have columns of their own', () => {
  const page = html()
  expect(page).toContain('<th scope="col" class="number">Unknown author</th>')
  expect(page.match(/aria-label="1 lines of an unknown author"/g)).toHaveLength(5)
  expect(page.match(/aria-label="1 lines by kotef itself"/g)).toHaveLength(5)
})

test('a filter stays in the links and in the form', () => {
  const filter = { since: '2026-03-01', intent: 'INT-001', problem: null }
  const page = html({ filter })
  for (const it of links(page).filter(it => /^(?:lines|violations|classes|ranges\?)/.test(it)))
    expect(it, it).toMatch(/intent/)
  expect(links(page)).toContain('violations?since=2026-03-01&intent=INT-001')
  expect(page).toContain('<option value="INT-001" selected>INT-001</option>')
  expect(page).toContain('value="2026-03-01"')
})

test('a filter that is not understood is said', () => {
  expect(html({ filter: { ...noFilter, problem: 'not understood' } })).toContain('not understood')
})

test('text of the repository is text', () => {
  const page = html()
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('\u001b')
  expect(page).not.toContain('\u202e')
  expect(page).toContain('&lt;script>alert(1)&lt;/script>')
})

test('what is not counted yet is said, and is no number', () => {
  const unread = { isCurrent: false, share: 0.5, failure: null }
  const early = html({ lines: { ...unread, value: null } })
  expect(early).toContain('still being counted (50 %)')
  expect(early).not.toContain('Lines by intent')
  const withoutAlive = { ...lines, intents: [{ name: 'INT-001', ...tally, alive: null }] }
  const later = html({ lines: { ...known, value: withoutAlive }, surviving: { ...unread, isKnown: false } })
  expect(later).toContain('The lines that HEAD still has are still being counted')
  expect(later).toContain('<span aria-label="not counted yet">…</span>')
})

test('a failure is said', () => {
  expect(html({ lines: { value: null, isCurrent: false, share: 0, failure: 'no git' } })).toContain('no git')
})

test('without commits the page says so', () => {
  expect(html({ lines: { ...known, value: null } })).toContain('There are no commits yet.')
})

test('the chart has the same numbers as the table', () => {
  const page = renderToString(<StatsLines facts={lines} filter={noFilter} />)
  expect(page).toContain('data-island="chart"')
  const chart = authorChart(lines.periods)
  expect(chart.labels).toEqual(lines.periods.map(it => it.period.label))
  expect(chart.series.map(it => [it.label, it.values[0]])).toEqual([
    ...[
      ['agent', 6],
      ['person', 3],
      ['both', 1],
      ['unknown author', 1],
      ['kotef itself', 1],
    ],
  ])
})

test('violations lead to those of their rule and of their period', () => {
  const page = renderToString(<StatsViolations facts={violations} filter={noFilter} refused={facts.refused} />)
  const found = links(page)
  expect(found).toContain(`violations?${new URLSearchParams({ rule: HOSTILE })}`)
  expect(found.some(it => /^violations\?since=.*&until=/.test(it))).toBe(true)
  expect(page).toContain('scope-violation')
})
