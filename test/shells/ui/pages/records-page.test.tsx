import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { ChangesPage } from '../../../../src/shells/ui/pages/changes-page.tsx'
import { RecordFilters } from '../../../../src/shells/ui/pages/record-filters.tsx'
import { RecordsPage, type RecordsFacts } from '../../../../src/shells/ui/pages/records-page.tsx'

const record = {
  ...{ id: 'r', at: '2026-03-10T11:00:00Z', event: 'problem', op: null, path: null, added: 0, removed: 0 },
  ...{ intent: null, session: null, author: null, detail: 'no space' },
}
const facts: RecordsFacts = {
  ...{ now: Date.parse('2026-03-10T12:00:00Z'), query: { intent: 'A&B', before: 900 }, problem: null },
  ...{ records: [record, record], older: 897, newer: 100, oldest: 897, damagedLines: 0 },
}

test('a page of records says where it is in the list, and leads to the pages around it with the same filter', () => {
  const html = renderToString(<RecordsPage {...facts} />)
  expect(html).toContain('101–102 of 999')
  expect(html).toContain('href="records?intent=A%26B&amp;before=897"')
  expect(html).toContain('href="records?intent=A%26B"')
})

test('a query that can not be answered is a problem, and not an empty list', () => {
  const html = renderToString(<RecordsPage {...{ ...facts, records: [], problem: 'Since takes a date.' }} />)
  expect(html).toContain('Since takes a date.')
  expect(html).not.toContain('No record matches.')
  expect(renderToString(<RecordsPage {...{ ...facts, records: [], older: 0 }} />)).toContain('No record matches.')
})

test('the form has the filter of the address, also one that it does not know', () => {
  const html = renderToString(<RecordFilters query={{ event: '"new', author: 'ai', file: '<b>' }} />)
  expect(html).toContain('<option value="&quot;new" selected>&quot;new</option>')
  expect(html).toContain('<option value="ai" selected>agent</option>')
  expect(html).toContain('value="&lt;b>"')
  expect(html).toContain('method="get"')
})

test('changed files are shown in pages of 500', () => {
  const changes = Array.from({ length: 1_001 }, (_, n) => ({
    ...({ path: `src/${n}.ts`, kind: 'dirty', owners: ['INT-001'], isOutside: true, isUntraced: false } as const),
  }))
  const html = renderToString(<ChangesPage state="outside" changes={changes} from={500} />)
  expect(html.match(/<tr>/g)).toHaveLength(501)
  expect(html.replace(/<[^>]*>/g, '')).toContain('501–1,000 of 1,001')
  expect(html).toContain('href="changes?state=outside&amp;from=1000"')
  expect(html).toContain('href="changes?state=outside"')
})
