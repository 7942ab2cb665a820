import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Command, HintText } from '../../../../src/shells/ui/pages/command-text.tsx'
import { LivePages, placesOf } from '../../../../src/shells/ui/pages/frame-context.ts'
import {
  AuthorBadge,
  Count,
  DataText,
  groupedDigits,
  hueOf,
  hueOfModel,
  IntentLink,
  Island,
  PathLink,
  Section,
  Table,
  When,
} from '../../../../src/shells/ui/pages/parts.tsx'

test('data is text: markup is escaped, and what can not be seen is shown', () => {
  expect(renderToString(<DataText text={'<script>\u202e\u001b[31m'} />)).toBe(
    '<bdi>&lt;script>\\u202e\\u001b[31m</bdi>',
  )
})

test('a count is a link, with what it counts for a screen reader', () => {
  expect(renderToString(<Count n={12_345} href="records" of="records" />)).toBe(
    '<a class="count" href="records" aria-label="12345 records">12,345</a>',
  )
  expect([0, 999, 1000, 1_000_000].map(groupedDigits)).toEqual(['0', '999', '1,000', '1,000,000'])
})

test('a table has its caption, and says when it is empty', () => {
  const table = { caption: 'Files', columns: ['Path', '#Lines'], empty: 'No file.' }
  expect(renderToString(<Table {...table} rows={[]} />)).toBe('<p class="empty">No file.</p>')
  const html = renderToString(<Table {...table} rows={[['a', 1]]} />)
  expect(html).toContain('<th scope="col" class="number">Lines</th>')
  expect(html).toContain('<td>a</td><td class="number">1</td>')
  expect(html).toContain('aria-label="Files" tabindex="0"')
})

test('a moment is a distance, and a day after a week', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const textOf = (at: string) => renderToString(<When at={at} now={now} />).replace(/<[^>]*>/g, '')
  expect(
    ['2026-03-10T12:00:10Z', '2026-03-10T11:59:30Z', '2026-03-10T11:00:01Z', '2026-03-09T12:00:00Z'].map(textOf),
  ).toEqual(['just now', 'just now', '59 min ago', '24 h ago'])
  expect(['2026-03-06T12:00:00Z', '2026-02-01T12:00:00Z', 'never'].map(textOf)).toEqual([
    '4 days ago',
    '2026-02-01',
    'never',
  ])
})

test('a command is what a person can paste, in whole words, and text of others in it is text', () => {
  const html = renderToString(<Command text="kotef approve <b>\u202e" />)
  expect(html).toContain('<code class="typed"><span>npx</span> <span>kotef-watch</span> <span>approve</span>')
  expect(html).toContain('data-copy="npx kotef-watch approve &lt;b>\\u202e"')
  expect(html).not.toContain('<b>')
  const exported = (
    <LivePages.Provider value={false}>
      <Command text="kotef status" />
    </LivePages.Provider>
  )
  expect(renderToString(exported)).not.toContain('<button')
  const hint = renderToString(<HintText text="Read <a>. Run `kotef doctor`, or `git init`." />)
  expect(hint.replace(/<[^>]*>/g, '')).toBe('Read &lt;a>. Run npx kotef-watch doctor, or git init.')
})

test('a badge says the kind of author in words', () => {
  const text = (author: Parameters<typeof AuthorBadge>[0]['author']) =>
    renderToString(<AuthorBadge author={author} />).replace(/<[^>]*>/g, '')
  expect(text({ kind: 'human', model: null })).toBe('person')
  expect(text({ kind: 'ai', model: 'm-1', isDoubtful: true })).toBe('agent?m-1')
})

test('an intent has the same colour everywhere, and its address', () => {
  const ids = Array.from({ length: 100 }, (_, n) => `INT-${n}`)
  expect(new Set(ids.map(it => hueOf(it, placesOf(ids)))).size).toBe(100)
  expect(hueOf('INT-12', placesOf(ids))).toBe('place tens-1 units-2')
  // Of another clone, or removed from the registry.
  expect(hueOf('INT-12', placesOf([]))).toMatch(/^place tens-\d units-\d$/)
  expect(renderToString(<IntentLink id="a/b" />)).toContain('href="intents/a%2Fb"')
  expect(renderToString(<PathLink path={'a"\n.ts'} />)).toContain('href="files/a%22%0A.ts"')
})

test('no model of an agent has a blue, which is the colour of persons', () => {
  const found = new Set(Array.from({ length: 200 }, (_, n) => hueOfModel(`model-${n}`)))
  expect([...found].sort()).toEqual(['1', '10', '11', '2', '3', '4', '6', '8', '9'].map(it => `hue-${it}`))
})

test('the facts of an island are an attribute, which ends nowhere else', () => {
  const html = renderToString(<Island name="chart" facts={{ a: `"'<script>` }} />)
  expect(html).toContain(`data-facts="{&quot;a&quot;:&quot;\\&quot;'&lt;script>&quot;}"`)
})

test('a section is named by its heading', () => {
  const html = renderToString(<Section title="Open requests">none</Section>)
  expect(html).toContain('<section aria-labelledby="s-open-requests">')
  expect(html).toContain('<h2 id="s-open-requests">Open requests</h2>')
})
