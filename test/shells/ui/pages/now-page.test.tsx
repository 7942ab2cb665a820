import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { NowFacts } from '../../../../src/shells/ui/pages/now-facts.ts'
import { NowPage } from '../../../../src/shells/ui/pages/now-page.tsx'
import { recordFacts } from '../../../../src/shells/ui/pages/record-facts.ts'
import { RecordItem } from '../../../../src/shells/ui/pages/record-row.tsx'
import type { TraceRecord } from '../../../../src/core/ledger/record.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const nothing: NowFacts = {
  ...{ now, intents: [], runs: [], stopped: [], requests: [], decisions: [], latest: [], offset: 7, problems: [] },
  tree: { branch: 'main', head: 'abcdef1234', watchedSince: null, changes: [] },
  counts: { records: 0, violations: 0 },
}

const write = {
  ...{ version: '0.1.0', id: 'r1', timestamp: '2026-03-10T11:00:00Z', tool: { name: 'kotef', version: '1' } },
  files: [
    {
      ...{ path: 'src/<script>.ts', relative_path: 'src/<script>.ts' },
      conversations: [
        {
          contributor: { type: 'ai', model_id: 'opus' },
          ranges: [{ start_line: 2, end_line: 4, content_hash: '', line_hashes: '' }],
          related: [{ type: 'intent', url: '', value: 'INT-001' }],
        },
      ],
      kotef: { op: 'modify', before: 'a', after: 'b', removed: [{ start_line: 1, lines: 2 }] },
    },
  ],
  metadata: {
    'dev.kotef': {
      event: 'write',
      attribution: 'window',
      source: 'daemon',
      phase: 'working',
      writer: 'w',
      seq: 0,
      prev: null,
      hash: '',
    },
  },
} as const satisfies TraceRecord

test('a page without anything says so', () => {
  const html = renderToString(<NowPage {...nothing} />)
  expect(html).toContain('No intent is in progress.')
  expect(html).toContain('The ledger has no record yet.')
})

test('a write has its file, its lines, its intent and its author', () => {
  const record = recordFacts(write)
  expect(record).toMatchObject({
    op: 'modify',
    added: 3,
    removed: 2,
    intent: 'INT-001',
    author: { kind: 'ai', model: 'opus' },
  })
  const html = renderToString(<RecordItem record={record} now={now} />)
  expect(html).toContain('src/&lt;script>.ts')
  expect(html).not.toContain('<script>')
  expect(html).toContain('href="intents/INT-001"')
  expect(html).toContain('3 lines added, 2 removed')
})

test('a violation has its message, with the characters shown that can not be seen', () => {
  const event = {
    event: 'violation',
    rule: 'scope',
    path: 'a.ts',
    intent: 'INT-001',
    message: 'bad \u001b[2J',
  } as const
  const record = recordFacts({
    ...write,
    files: [],
    metadata: { 'dev.kotef': { ...write.metadata['dev.kotef'], ...event } },
  })
  expect(record).toMatchObject({ event: 'violation', path: 'a.ts', author: null })
  expect(renderToString(<RecordItem record={record} now={now} />)).toContain('bad \\u001b[2J')
})

test('each intent has the sessions that hold it, and each session a link to its records', () => {
  const at = '2026-03-10T11:30:00Z'
  const session = { id: 'abcdef123456', agent: 'claude', model: null, since: at, seen: at }
  const intents = [{ id: 'INT-001', name: 'Refunds', sessions: [session], elsewhere: ['aider, in /other'] }]
  const html = renderToString(<NowPage {...nothing} intents={intents} />)
  expect(html).toContain('href="records?session=abcdef123456"')
  expect(html.replace(/<[^>]*>/g, '')).toContain('claude  abcdef12 since 30 min ago, seen 30 min agoaider, in /other')
})

test('a record that another program wrote is shown as far as it can be read', () => {
  const own = { ...write.metadata['dev.kotef'] }
  const odd = (metadata: object, files: readonly object[] = []) =>
    recordFacts({ ...write, files, metadata: { 'dev.kotef': { ...own, ...metadata } } } as unknown as TraceRecord)
  expect(odd({ event: 'requested', intent: 3, session: {} })).toMatchObject({ intent: null, session: null, detail: '' })
  const [file] = write.files
  const bare = {
    ...file,
    conversations: [{ ranges: [], contributor: { type: 'robot', model_id: 4 } }],
    kotef: { op: 'x' },
  }
  expect(odd({}, [bare])).toMatchObject({ removed: 0, author: { kind: 'unknown', model: null }, intent: null })
  expect(odd({}, [{ ...bare, conversations: [] }])).toMatchObject({ author: { kind: 'unknown' } })
})

test('the path and the intent of an event are said once', () => {
  const own = { ...write.metadata['dev.kotef'], path: 'a b.ts', intent: 'INT-001' } as const
  const said = (event: object) =>
    recordFacts({ ...write, files: [], metadata: { 'dev.kotef': { ...own, ...event } } } as unknown as TraceRecord)
      .detail
  expect(said({ event: 'violation', rule: 'r', message: 'a b.ts is outside intent INT-001' })).toBe(
    'is outside intent INT-001',
  )
  expect(said({ event: 'intent-added', path: undefined })).toBe('')
  expect(said({ event: 'transition', from: 'PENDING', to: 'BLOCKED' })).toBe('PENDING -> BLOCKED')
})
