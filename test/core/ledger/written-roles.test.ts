import { describe, expect, test } from 'vitest'
import type { PathChange } from '../../../src/core/git/changes.ts'
import type { LedgerEvent } from '../../../src/core/ledger/event.ts'
import type { RecordDraft } from '../../../src/core/ledger/record.ts'
import { isOutOfRole, roleBreaches, taskLineWriters, writtenOutOfRole } from '../../../src/core/ledger/written-roles.ts'

const SESSION = '2026-01-31_refunds'
const TASKS = `.agents-work/${SESSION}/tasks.yaml`

/** Lines `added`, as first and last, take the place of `removed` lines, as first and count. */
type Write = {
  readonly path?: string
  readonly by: string | null
  readonly blobs: readonly [before: string | null, after: string | null]
  readonly added?: readonly [number, number]
  readonly removed?: readonly [number, number]
  readonly opaque?: 'binary'
  readonly from?: string
}

function draftOf({ path = 'a.ts', by, blobs, added, removed, opaque, from }: Write): RecordDraft {
  const ranges = added ? [{ start_line: added[0], end_line: added[1], content_hash: '', line_hashes: '' }] : []
  const kotef = {
    ...{ op: 'modify' as const, before: blobs[0], after: blobs[1] },
    removed: removed ? [{ start_line: removed[0], lines: removed[1] }] : [],
    ...(opaque && { opaque }),
    ...(from === undefined ? {} : { from }),
  }
  const conversations = [{ url: `kotef:session/s-${by}`, contributor: { type: 'ai' as const }, ranges, related: [] }]
  const role = by === null ? {} : { handover: { role: by, session: SESSION } }
  const event = { event: 'write', attribution: 'claimed', source: 'daemon', ...role } as const
  return { event, files: [{ path, relative_path: path, conversations, kotef }] }
}

const lineOf = ({ event, files = [] }: RecordDraft, n: number): string =>
  JSON.stringify({ id: `r${n}`, files, metadata: { 'dev.kotef': event } })
const ledger = (...writes: Write[]): string => writes.map((it, n) => lineOf(draftOf(it), n)).join('\n')
const claim = (role: string | null): string => {
  const own = role === null ? {} : { handover: { role, session: SESSION } }
  const event = { event: 'claimed', session: 's-claim', agent: 'a', model: null, intent: null, path: 'a.ts', ...own }
  return lineOf({ event: { ...event, records: ['r0'] } as LedgerEvent }, 99)
}

const entry = (oid: string | null) => (oid === null ? null : { mode: '100644', oid })
const change = (before: string | null, after: string | null, path = 'a.ts'): PathChange => ({
  ...{ path, before: entry(before), after: entry(after) },
})

const LEAD: Write = { by: 'Orchestrator', blobs: ['h', 'x'], added: [3, 4] }

describe('what a role wrote that it may not', () => {
  test.each<[title: string, text: string, staged: PathChange, roles: string[]]>([
    ['is found as the last write', ledger(LEAD), change('h', 'x'), ['Orchestrator']],
    ['is not what a Coder wrote', ledger({ ...LEAD, by: 'Coder' }), change('h', 'x'), []],
    ['is not what nobody with a role wrote', ledger({ ...LEAD, by: null }), change('h', 'x'), []],
    ['is not what is in HEAD', ledger(LEAD), change('x', 'y'), []],
    [
      'is found below what a Coder added elsewhere',
      ledger(LEAD, { by: 'Coder', blobs: ['x', 'y'], added: [1, 1] }),
      change('h', 'y'),
      ['Orchestrator'],
    ],
    [
      'is found above what a person added elsewhere',
      ledger(LEAD, { by: null, blobs: ['x', 'y'], added: [9, 9] }),
      change('h', 'y'),
      ['Orchestrator'],
    ],
    [
      'is gone when a Coder writes those lines again',
      ledger(LEAD, { by: 'Coder', blobs: ['x', 'y'], removed: [3, 2], added: [3, 3] }),
      change('h', 'y'),
      [],
    ],
    [
      'is there when a Coder writes only one of those lines again',
      ledger(LEAD, { by: 'Coder', blobs: ['x', 'y'], removed: [3, 1], added: [3, 3] }),
      change('h', 'y'),
      ['Orchestrator'],
    ],
    [
      'is gone when a Coder writes the same content after taking it back',
      ledger(LEAD, { by: 'Coder', blobs: ['x', 'h'], removed: [3, 2] }, { ...LEAD, by: 'Coder' }),
      change('h', 'x'),
      [],
    ],
    [
      'is gone when a Coder makes the file again',
      ledger(
        { by: 'QA', blobs: [null, 'x'], added: [1, 2] },
        { by: 'Coder', blobs: ['x', null], removed: [1, 2] },
        { by: 'Coder', blobs: [null, 'x'], added: [1, 2] },
      ),
      change(null, 'x'),
      [],
    ],
    ['is a removal', ledger({ by: 'QA', blobs: ['h', null], removed: [1, 9] }), change('h', null), ['QA']],
    ['is a binary file', ledger({ by: 'QA', blobs: ['h', 'x'], opaque: 'binary' }), change('h', 'x'), ['QA']],
    [
      'is a file of which nobody knows the lines, below what a Coder added',
      ledger({ by: 'QA', blobs: ['h', 'x'], opaque: 'binary' }, { by: 'Coder', blobs: ['x', 'y'], added: [9, 9] }),
      change('h', 'y'),
      ['QA'],
    ],
    ['is counted where only a part is staged', ledger(LEAD), change('h', 'part'), ['Orchestrator']],
    [
      'is a rename, at both ends',
      ledger({ by: 'QA', path: 'b.ts', from: 'a.ts', blobs: ['h', 'h'] }),
      change('h', null),
      ['QA'],
    ],
    [
      'is of the session that claims the write later',
      `${ledger({ ...LEAD, by: null })}\n${claim('QA')}`,
      change('h', 'x'),
      ['QA'],
    ],
    ['is not what a session without a role claims', `${ledger(LEAD)}\n${claim(null)}`, change('h', 'x'), []],
    ['is what a role that nobody knows wrote', ledger({ ...LEAD, by: 'coder' }), change('h', 'x'), ['Orchestrator']],
    ['is not found where nothing is recorded', '', change('h', 'x'), []],
  ])('%s', (_, text, staged, roles) => {
    expect(roleBreaches(text, [staged]).map(it => it.writer.role)).toEqual(roles)
  })

  test('names the path, the session and why', () => {
    expect(roleBreaches(ledger(LEAD), [change('h', 'x')])).toEqual([
      {
        path: 'a.ts',
        writer: { role: 'Orchestrator', session: SESSION, by: 's-Orchestrator' },
        why: `a Orchestrator writes only below .agents-work/${SESSION}/`,
      },
    ])
  })

  test('is a path below the folder of another session, whoever writes it', () => {
    const path = '.agents-work/2026-01-30_other/notes.md'
    const text = ledger({ ...LEAD, by: 'Coder', path })
    expect(roleBreaches(text, [change('h', 'x', path)]).map(it => it.path)).toEqual([path])
  })

  test('closes the fast path, and is listed with its role', () => {
    const drafts = [LEAD, { ...LEAD, by: 'Coder' }, { ...LEAD, by: null }].map(draftOf)
    expect(drafts.map(isOutOfRole)).toEqual([true, false, false])
    expect(isOutOfRole(draftOf({ ...LEAD, path: 'docs/a.md', from: 'src/a.ts', by: 'Docs' }))).toBe(true)
    expect(isOutOfRole({ event: { event: 'initialised' } })).toBe(false)
    expect(writtenOutOfRole(ledger(LEAD, { ...LEAD, by: 'Coder', path: 'b.ts' }))).toEqual([['a.ts', 'Orchestrator']])
  })
})

test('the lines of a list of tasks have writers, where a role wrote some', () => {
  const written = ledger(
    { path: TASKS, by: 'Coder', blobs: ['h', 'x'], removed: [2, 1], added: [2, 2] },
    { path: TASKS, by: null, blobs: ['x', 'y'], added: [1, 1] },
  )
  const [[path, writers] = ['', []]] = taskLineWriters(written, [change('h', 'y', TASKS), change('h', 'x')])
  expect([path, writers.map(it => it?.role ?? null)]).toEqual([TASKS, [null, null, 'Coder', null]])
  expect(taskLineWriters(ledger({ path: TASKS, by: null, blobs: ['h', 'x'] }), [change('h', 'x', TASKS)])).toEqual([])
})
