import { expect, test } from 'vitest'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import type { LedgerEvent } from '../../../../src/core/ledger/event.ts'
import type { TraceRecord } from '../../../../src/core/ledger/record.ts'
import {
  ATTRIBUTE_NAMES,
  attributesOf,
  modelAttributes,
  RESOURCE_ATTRIBUTES,
  telemetryText,
} from '../../../../src/shells/otlp/records/attribute-names.ts'
import { lineCounts, recordLog } from '../../../../src/shells/otlp/records/record-log.ts'
import type { TelemetryLog } from '../../../../src/shells/otlp/records/signals.ts'
import { sealedLines, writeOf } from '../../../rig/telemetry-export.ts'

function logOf(event: LedgerEvent, paths = true): TelemetryLog {
  const [only] = sealedLines([{ event }])
  if (!only) throw new Error('no record')
  return recordLog(only.record, { paths, span: null })
}

const writeLog = (paths: boolean): TelemetryLog => {
  const [only] = sealedLines([writeOf('src/a.ts')])
  if (!only) throw new Error('no record')
  return recordLog(only.record, { paths, span: null })
}

test('a write has its path, author, intent, session and counts of lines, and no hash', () => {
  expect(writeLog(true)).toEqual({
    ...{ uid: 'w-0', event: 'kotef.write', severity: 'INFO', span: null },
    at: Date.UTC(2026, 10, 20, 10),
    body: 'modify src/a.ts +3 -2, INT-001, ai',
    attributes: {
      ...{ 'log.record.uid': 'w-0', 'kotef.event': 'write', 'vcs.ref.head.revision': 'c'.repeat(40) },
      ...{ 'kotef.attribution': 'claimed', 'kotef.source': 'daemon', 'kotef.intent.id': 'INT-001', 'session.id': 's' },
      ...{ 'gen_ai.provider.name': 'maker', 'gen_ai.request.model': 'robot', 'kotef.author.kind': 'ai' },
      ...{
        'kotef.lines.added': 3,
        'kotef.lines.removed': 2,
        'kotef.file.operation': 'modify',
        'file.path': 'src/a.ts',
      },
    },
  })
})

test('without paths, a write is the same but for them', () => {
  const { 'file.path': _, ...others } = writeLog(true).attributes
  expect(writeLog(false)).toMatchObject({ body: 'modify +3 -2, INT-001, ai' })
  expect(writeLog(false).attributes).toEqual(others)
})

const VIOLATION = {
  event: 'violation',
  rule: 'in-scope',
  path: 'b.ts',
  intent: 'INT-002',
  message: 'said',
  record: 'r',
}
const ASKED = { session: 's', intent: 'INT-001', kind: 'scope', wants: ['src/x/**'], reason: 'my reason' }

test.each<[event: object, body: string, severity: string, attributes: object]>([
  [VIOLATION, 'violation b.ts in-scope INT-002', 'WARN', { 'kotef.rule': 'in-scope', 'kotef.write.id': 'r' }],
  [{ event: 'problem', path: 'c.ts', message: 'EIO' }, 'problem c.ts', 'ERROR', { 'file.path': 'c.ts' }],
  [{ event: 'problem', path: null, message: 'EIO' }, 'problem', 'ERROR', {}],
  [{ event: 'requested', request: 'q', ...ASKED }, 'requested INT-001', 'INFO', { 'kotef.request.kind': 'scope' }],
  [{ event: 'daemon-started', pid: 7, preexisting: 0 }, 'daemon-started', 'INFO', { 'process.pid': 7 }],
  [
    { event: 'check-run', intent: 'INT-001', command: 'make secret', exit: 1, timed_out: false, status: 'failed' },
    ...['check-run INT-001 failed', 'INFO'],
    { 'kotef.check.status': 'failed', 'process.exit.code': 1, 'kotef.intent.id': 'INT-001' },
  ] as [object, string, string, object],
  [
    { event: 'transition', intent: 'INT-001', from: 'PENDING', to: 'COMPLETED', reason: 'my reason' },
    ...['transition INT-001', 'INFO'],
    { 'kotef.status.before': 'PENDING', 'kotef.status.after': 'COMPLETED' },
  ] as [object, string, string, object],
])('%o is a log without what somebody wrote', (event, body, severity, attributes) => {
  const log = logOf(event as LedgerEvent)
  expect(log).toMatchObject({ body, severity, attributes })
  expect(JSON.stringify(log)).not.toMatch(/my reason|make secret|said|src\/x|EIO/)
})

test('a record that another program wrote is read as far as it goes', () => {
  const odd = {
    ...{
      id: 'x',
      timestamp: 'never',
      files: [{ path: 'a', conversations: [{ ranges: [] }], kotef: { op: 'modify' } }],
    },
    metadata: { 'dev.kotef': { event: 'write', intent: 7, session: null, rule: ['no'] } },
  } as unknown as TraceRecord
  expect(recordLog(odd, { paths: true, span: null })).toMatchObject({
    ...{ at: null, body: 'modify a +0 -0, no intent, unknown' },
    attributes: { 'kotef.author.kind': 'unknown', 'kotef.lines.added': 0, 'kotef.lines.removed': 0 },
  })
  expect(lineCounts(odd)).toEqual({ added: 0, removed: 0 })
})

test('values of other types are left out, and texts are whole and of bounded length', () => {
  expect(attributesOf({ path: '', rule: null, pid: Number.NaN, exit: 0, files: undefined, opaque: {} })).toEqual({
    'process.exit.code': 0,
  })
  expect(telemetryText('a\ud800b')).toBe('a\ufffdb')
  expect(telemetryText(`${'a'.repeat(4_095)}😀`)).toBe(`${'a'.repeat(4_095)}\ufffd`)
})

test('a model has its provider apart, where its name says so', () => {
  expect(modelAttributes('anthropic/claude-x')).toEqual({ provider: 'anthropic', model: 'claude-x' })
  expect([modelAttributes('gpt'), modelAttributes(''), modelAttributes(undefined)]).toEqual([{ model: 'gpt' }, {}, {}])
})

test('a name that does not begin with kotef is one of the semantic conventions', () => {
  const known = new Set<unknown>(Object.values(conventions))
  const others = [...Object.values(ATTRIBUTE_NAMES), ...RESOURCE_ATTRIBUTES].filter(it => !it.startsWith('kotef.'))
  // The specification of metrics has this one.
  expect(others.filter(it => !known.has(it))).toEqual(['otel.metric.overflow'])
})
