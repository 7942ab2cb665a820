import { describe, expect, test } from 'vitest'
import { type AgentTraceFault, agentTraceValidator, schemaFaults } from '../../../src/core/ledger/agent-trace.ts'

function validateAgentTrace(text: string) {
  const validator = agentTraceValidator()
  for (const line of text.split('\n')) validator.line(line)
  return validator.end()
}

const range = { start_line: 1, end_line: 2 }
const record = {
  version: '0.1.0',
  id: '00000000-0000-4000-8000-000000000001',
  timestamp: '2026-01-01T00:00:00.000Z',
  files: [{ path: 'a.ts', conversations: [{ url: 'kotef:session/1', ranges: [range] }] }],
}

test('the schema takes a record that has more than it asks for', () => {
  expect(schemaFaults({ ...record, relative: true, metadata: { 'dev.kotef': {} } })).toEqual([])
})

test.each<[change: object, at: string, message: string]>([
  [{ id: 'a' }, '/id', 'must match format "uuid"'],
  [{ timestamp: 'yesterday' }, '/timestamp', 'must match format "date-time"'],
  [{ files: undefined }, '', "must have required property 'files'"],
  [{ files: [{ path: 'a.ts' }] }, '/files/0', "must have required property 'conversations'"],
  [{ vcs: { type: 'cvs', revision: '1' } }, '/vcs/type', 'must be equal to one of the allowed values'],
])('the schema refuses %o', (change, at, message) => {
  expect(schemaFaults({ ...record, ...change })).toEqual([{ at, message }])
})

const good = JSON.stringify(record)
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

describe('a text', () => {
  test.each<[what: string, text: string, records: number, faults: AgentTraceFault[]]>([
    ['a record a line', `${good}\n\n${good}\n`, 2, []],
    ['one record over many lines', pretty(record), 1, []],
    ['an array of records', pretty([record, record]), 2, []],
    ['an empty array', '[]', 0, []],
    ['a bad line', `${good}\n{"a"\n`, 2, [{ line: 2, at: '', message: 'is not JSON' }]],
    [
      'a record of an array',
      pretty([record, { ...record, id: 1 }]),
      2,
      [{ line: null, at: '/1/id', message: 'must be string' }],
    ],
    [
      'a byte order mark (bugs F16)',
      `\uFEFF${good}\n${good}\n`,
      2,
      [{ line: 1, at: '', message: expect.stringMatching(/^begins with a byte order mark.*without it$/) }],
    ],
    ['no JSON', 'hello', 1, [{ line: null, at: '', message: 'is not JSON' }]],
    ['a number', '1', 1, [{ line: null, at: '', message: 'must be object' }]],
  ])('%s', (_, text, records, faults) => {
    expect(validateAgentTrace(text)).toEqual({ records, faults, more: 0 })
  })

  test.each(['/etc/passwd', 'C:/a.ts', '../a.ts', 'a/../../b.ts', 'a/..'])('that names %s names nothing here', path => {
    const text = JSON.stringify({ ...record, files: [{ path, conversations: [] }] })
    expect(validateAgentTrace(text).faults.map(it => it.at)).toEqual(['/files/0/path'])
  })

  test('whose range ends before it begins says where', () => {
    const ranges = [range, { start_line: 3, end_line: 2 }]
    const text = JSON.stringify({ ...record, files: [{ path: 'a..b/c.ts', conversations: [{ ranges }] }] })
    const at = '/files/0/conversations/0/ranges/1/end_line'
    expect(validateAgentTrace(text).faults).toEqual([{ line: 1, at, message: 'must be >= 3' }])
  })

  test('of very many faults the first thousand are listed', () => {
    const { records, faults, more } = validateAgentTrace(`${good}\n${'{}\n'.repeat(2_000)}`)
    expect([records, faults.length, faults[0]?.line, more]).toEqual([2_001, 1_000, 2, 4 * 2_000 - 1_000])
  })
})
