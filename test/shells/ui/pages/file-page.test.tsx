import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { AbsentKind, FilePageFacts, FileLine } from '../../../../src/shells/ui/pages/file-facts.ts'
import { FilePage } from '../../../../src/shells/ui/pages/file-page.tsx'
import { BlameTable, toneOf } from '../../../../src/shells/ui/pages/file-lines.tsx'
import { FILE_LINES_SHOWN, fileView } from '../../../../src/shells/ui/pages/file-view.ts'
import { fileLine } from '../../../rig/file-lines.ts'

const COMMIT = 'c'.repeat(40)

function page(
  lines: readonly FileLine[],
  texts: readonly string[],
  more: Partial<FilePageFacts> & { from?: number } = {},
) {
  const { by = 'intent', from = 0 } = more
  const view = fileView(lines, texts, { by, only: null, from })
  const names = new Map([['INT-001', 'the <script> work']])
  const content = {
    kind: 'text',
    head: COMMIT,
    view,
    names,
    subjects: new Map([[COMMIT, 'add \u202ea line']]),
  } as const
  return renderToString(FilePage({ now: 0, path: 'src/a b.ts', by, records: 7, content, ...more }))
}

const numbersOf = (html: string) => [...html.matchAll(/<tr id="L(\d+)"/g)].map(it => Number(it[1]))

test('each line has its number and text, and its block the intent, the author and the commit', () => {
  const html = page([fileLine(1, { intent: 'INT-001', type: 'ai', model: 'opus' }), fileLine(2)], ['one', 'two'])
  expect(numbersOf(html)).toEqual([1, 2])
  expect(html).toContain('href="intents/INT-001"')
  expect(html).toContain(`href="ranges/${COMMIT}%5E!"`)
  expect(html).toContain('the &lt;script> work')
  expect(html).toContain('no intent')
})

test('the numbers of the legend lead to the lines that they count', () => {
  const html = page([fileLine(1, { intent: 'INT-001' }), fileLine(2), fileLine(3)], ['1', '2', '3'])
  expect(html).toContain('href="files/src/a%20b.ts?by=intent&amp;only=intent%3AINT-001" aria-label="1 lines"')
  expect(html).toContain('href="files/src/a%20b.ts?by=intent&amp;only=intent%3A" aria-label="2 lines"')
  expect(html).toContain('href="files/src/a%20b.ts?by=intent&amp;only=uncommitted" aria-label="0 uncommitted lines"')
  expect(html).toContain('href="records?file=src%2Fa+b.ts" aria-label="7 records of this file"')
})

test('what is to be said of a line is described by an element that is there', () => {
  const html = page([fileLine(1, { intent: 'INT-001' }), fileLine(2)], ['1', '2'])
  const described = [...html.matchAll(/aria-describedby="([^"]+)"/g)].map(it => it[1])
  expect(described).toEqual(['why-1', 'why-2'])
  for (const id of described) expect(html).toContain(`id="${id}"`)
})

test('hostile text is text: markup, escapes of a terminal, right-to-left marks, bytes that are not UTF-8', () => {
  const texts = ['<script>alert(1)</script>', '\u001b[31mred', 'a\u202eb', Buffer.from([0x61, 0xff]).toString('utf8')]
  const html = page(
    texts.map((_, n) => fileLine(n + 1, { intent: '<script>', model: '"><img src=x>', type: 'ai' })),
    texts,
  )
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<img')
  for (const it of ['\u001b', '\u202e']) expect(html).not.toContain(it)
  expect(html).toContain('\\u001b[31mred')
  expect(html).toContain('a\ufffd')
})

test('a path with quotes and a newline is shown escaped, and its address leads to it', () => {
  const html = page([fileLine(1)], ['1'], { path: 'src/"a\nb".ts' })
  expect(html).toContain('files/src/%22a%0Ab%22.ts')
  expect(html).toContain('\\n')
})

test('by author the lines have the colour of the author, and the choice says which one is made', () => {
  const html = page([fileLine(1, { type: 'human' })], ['1'], { by: 'author' })
  expect(html).toContain('class="block tone-human"')
  expect(html).toMatch(/aria-current="true"[^>]*>by author</)
})

test('a line has the colour of its intent or of its author, and none where nobody is known', () => {
  expect(toneOf(fileLine(1), 'intent', new Map())).toBe('tone-none')
  expect(toneOf(fileLine(1), 'author', new Map())).toBe('tone-unknown')
  expect(toneOf(fileLine(1, { intent: 'INT-001' }), 'intent', new Map([['INT-001', 3]]))).toBe('place tens-0 units-3')
  expect(toneOf(fileLine(1, { type: 'ai', model: 'opus' }), 'author', new Map())).toMatch(/^tone-ai hue-\d+$/)
})

test('a line that is not committed says so, and a class is told with its evidence', () => {
  const lines = [{ ...fileLine(1, { commit: null }), mutation_class: 'FORMAT', evidence: 'same <tokens>' } as const]
  const view = fileView(lines, ['one'], { by: 'intent', only: null, from: 0 })
  const text = { kind: 'text', head: null, view, names: new Map(), subjects: new Map() } as const
  const html = renderToString(<BlameTable text={text} by="intent" path="a" />)
  expect(html).toContain('none yet')
  expect(html).toContain('FORMAT: <bdi>same &lt;tokens></bdi>')
})

test('a long file says which lines are shown, and leads to the others', () => {
  const lines = Array.from({ length: FILE_LINES_SHOWN * 3 }, (_, n) => fileLine(n + 1))
  const html = page(lines, [], { from: FILE_LINES_SHOWN })
  expect(html).toContain('501 to 1,000 of 1,500')
  expect(html).toContain('href="files/src/a%20b.ts?by=intent&amp;from=1000">Next')
  expect(html).toContain('href="files/src/a%20b.ts?by=intent">Previous')
})

test('a page of a short file has no pages, and an empty file says so', () => {
  expect(page([fileLine(1)], ['1'])).not.toContain('Pages of the list')
  expect(page([], [])).toContain('The file is empty.')
})

test.each(['missing', 'binary', 'folder', 'link', 'ignored', 'outside', 'unreadable'] satisfies AbsentKind[])(
  'a path without lines (%s) says why, and names its last commit',
  kind => {
    const last = { commit: COMMIT, at: '2026-01-01T00:00:00Z', subject: '<b>' }
    const html = page([], [], { content: { kind, last } })
    expect(html).toMatch(/<p class="empty">[^<]+\.<\/p>/)
    expect(html).toContain('&lt;b>')
  },
)
