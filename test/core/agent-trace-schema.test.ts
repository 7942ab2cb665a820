import { expect, test } from 'vitest'
import { validateRecord } from '../rig/agent-trace.ts'

const record = {
  version: '0.1.0',
  id: '00000000-0000-4000-8000-000000000001',
  timestamp: '2026-01-01T00:00:00.000Z',
  files: [{ path: 'a.ts', conversations: [{ url: 'kotef:session/1', ranges: [{ start_line: 1, end_line: 2 }] }] }],
}

test('the schema takes a record that has more than it asks for', () => {
  expect(validateRecord({ ...record, relative: true, metadata: { 'dev.kotef': {} } })).toEqual([])
})

test.each<[change: object, problem: string]>([
  [{ id: 'a' }, '/id must match format "uuid"'],
  [{ timestamp: 'yesterday' }, '/timestamp must match format "date-time"'],
  [{ files: undefined }, "/ must have required property 'files'"],
  [{ files: [{ path: 'a.ts' }] }, "/files/0 must have required property 'conversations'"],
  [{ vcs: { type: 'cvs', revision: '1' } }, '/vcs/type must be equal to one of the allowed values'],
])('the schema refuses %o', (change, problem) => {
  expect(validateRecord({ ...record, ...change })).toEqual([problem])
})
