import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { ClassesPage } from '../../../../src/shells/ui/pages/classes-page.tsx'
import { LinesPage, type LinesFacts, type ListedLine } from '../../../../src/shells/ui/pages/lines-page.tsx'
import { firstItem, Pager } from '../../../../src/shells/ui/pages/pager.tsx'
import { RangesPage } from '../../../../src/shells/ui/pages/ranges-page.tsx'
import { SlowNotice } from '../../../../src/shells/ui/pages/slow-notice.tsx'
import { ViolationsPage } from '../../../../src/shells/ui/pages/violations-page.tsx'

const now = Date.UTC(2026, 2, 10, 12)
const at = now - 3_600_000
const known = { isCurrent: true, share: 1, failure: null }
const HOSTILE = '<script>\u001b[2J\u202e'
const oid = 'c'.repeat(40)

const line: ListedLine = {
  ...{ commit: oid, at, path: 'src/a.ts', line: 7, text: HOSTILE, intent: 'INT-001' },
  ...{ author: { kind: 'ai', model: 'm/1' }, isNoted: true, now: null },
}
const lineFacts: LinesFacts = { now, query: {}, total: 1, lines: [line], pageLength: 200, reading: known }

function expectNoHostileText(html: string): void {
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('\u001b')
  expect(html).not.toContain('\u202e')
}

test('a line has its place, its text, its author and its commit', () => {
  const html = renderToString(<LinesPage {...lineFacts} />)
  expectNoHostileText(html)
  expect(html).toContain('href="files/src/a.ts"')
  expect(html).toContain(`href="ranges/${oid}%5E!"`)
  expect(html.replace(/<[^>]*>/g, '')).toContain('src/a.ts:7')
  expect(html).not.toContain('no note')
})

test('a line without an intent or a note says so, and a line that HEAD has is where it is now', () => {
  const place = { path: 'src/b.ts', line: 9 }
  const html = renderToString(
    <LinesPage {...lineFacts} lines={[{ ...line, intent: null, isNoted: false, now: place }]} />,
  )
  expect(html).toContain('no intent')
  expect(html).toContain('no note')
  expect(html.replace(/<[^>]*>/g, '')).toContain('src/b.ts:9')
})

test('each filter of a list of lines is named, and can be removed alone', () => {
  const query = { intent: '', author: 'ai', since: '2026-03-01', from: 200 } as const
  const html = renderToString(<LinesPage {...lineFacts} query={query} total={900} />)
  expect(html).toContain('href="lines?author=ai&amp;since=2026-03-01"')
  expect(html).toContain('href="lines?since=2026-03-01&amp;without=intent"')
  expect(html).toContain('aria-label="Remove the filter intent"')
})

test('a pager leads to the pages before and after, and keeps the filter', () => {
  const hrefOf = (from: number | undefined) => `lines?intent=A&from=${from ?? ''}`
  const pager = { total: 450, pageLength: 200, hrefOf }
  const html = (from: number, shown: number) => renderToString(<Pager {...pager} from={from} shown={shown} />)
  expect(html(0, 200)).toContain('1 to 200 of 450')
  expect(html(0, 200)).not.toContain('Previous')
  expect(html(200, 200)).toContain('href="lines?intent=A&amp;from="')
  expect(html(200, 200)).toContain('href="lines?intent=A&amp;from=400"')
  expect(html(400, 50)).not.toContain('Next')
  expect(renderToString(<Pager {...pager} total={3} from={0} shown={3} />)).toBe('')
})

test('the first item of a page is a whole number', () => {
  expect(['12', '', null, '-1', '1e3', '9'.repeat(20)].map(firstItem)).toEqual([12, 0, 0, 0, 0, 0])
})

test('violations and changes are listed with their filters', () => {
  const violations = renderToString(
    <ViolationsPage now={now} query={{ rule: HOSTILE }} total={0} records={[]} pageLength={100} reading={known} />,
  )
  expectNoHostileText(violations)
  expect(violations).toContain('No violation is in this list.')
  const change = { commit: oid, at, path: HOSTILE, class: 'FORMAT', evidence: HOSTILE }
  const changes = renderToString(
    <ClassesPage now={now} query={{}} total={1} changes={[change]} pageLength={100} reading={known} />,
  )
  expectNoHostileText(changes)
  expect(changes).toContain('1 change')
})

test('each commit of the list leads to its page, and says which intents it has', () => {
  const commit = { oid, subject: HOSTILE, author: HOSTILE, at: new Date(at).toISOString() }
  const commits = [
    { ...commit, intents: ['INT-001'], governance: null },
    { ...commit, intents: [], governance: 'why' },
    { ...commit, intents: [], governance: null },
  ]
  const facts = { now, query: {}, unpublished: 'abc..HEAD', total: 3, commits, pageLength: 100, reading: known }
  const html = renderToString(<RangesPage {...facts} />)
  expectNoHostileText(html)
  for (const it of ['3 commits', 'intents/INT-001', 'governance', 'no intent', 'ranges/abc..HEAD', `ranges/${oid}%5E!`])
    expect(html, it).toContain(it)
})

test('a notice says what is known, and nothing when all is', () => {
  const notice = (facts: Parameters<typeof SlowNotice>[0]['facts']) =>
    renderToString(<SlowNotice what="The lines" facts={facts} here="stats" />)
  expect(notice({ ...known, isKnown: true })).toBe('')
  const busy = { isCurrent: false, share: 0.999, failure: null }
  expect(notice({ ...busy, isKnown: false })).toContain('The lines are still being counted (99 %)')
  expect(notice({ ...busy, isKnown: true })).toContain('of an earlier commit')
  expect(notice({ ...busy, isKnown: true, failure: HOSTILE })).toContain('could not be read')
})
