import { expect, test } from 'vitest'
import type { LoggedCommit } from '../../../../src/core/git/log.ts'
import type { LedgerEvent } from '../../../../src/core/ledger/event.ts'
import { happeningsOf, writesByDay, writesIn } from '../../../../src/shells/ui/pages/happenings.ts'
import { eventRecord, writeRecord } from '../../../rig/intent-records.ts'

const commit: LoggedCommit = {
  ...{ commit: 'c'.repeat(40), date: '2026-03-10T12:00:00+01:00', committed: '2026-03-10T12:00:00+01:00' },
  ...{ author: 'Ada', subject: 'add it', intents: ['INT-001'], governance: null },
}

test('what happened is listed newest first, whatever the time zone of a commit', () => {
  const records = [
    eventRecord('2026-03-10T10:00:00.000Z', {
      event: 'session-started',
      session: 's-1',
      intent: 'INT-001',
      agent: 'aider',
    }),
    eventRecord('2026-03-10T11:30:00.000Z', { event: 'session-ended', session: 's-1', intent: 'INT-001' }),
  ]
  expect(happeningsOf(records, [commit]).map(it => it.what)).toEqual([
    'Session ended',
    'add it (Ada)',
    'Selected by aider',
  ])
})

test('the writes of a day are one entry, at the time of the last one', () => {
  const records = [
    writeRecord('2026-03-09T10:00:00.000Z', 'a'),
    writeRecord('2026-03-10T10:00:00.000Z', 'a'),
    writeRecord('2026-03-10T11:00:00.000Z', 'b'),
  ]
  expect(happeningsOf(records, []).map(it => [it.kind, it.at, it.writes?.count])).toEqual([
    ['writes', '2026-03-10T11:00:00.000Z', 2],
    ['writes', '2026-03-09T10:00:00.000Z', 1],
  ])
  for (const { day, count } of writesByDay(records)) expect(writesIn(records, day)).toHaveLength(count)
})

test.each<[LedgerEvent, kind: string, what: string]>([
  [
    { event: 'transition', intent: 'I', from: 'PENDING', to: 'COMPLETED', reason: 'done' },
    'status',
    'PENDING -> COMPLETED (done)',
  ],
  [
    { event: 'violation', rule: 'in-scope', path: 'x', intent: 'I', message: 'x is outside' },
    'violation',
    'x is outside',
  ],
  [{ event: 'check-run', intent: 'I', command: 'npm test', exit: 1, timed_out: false }, 'check', 'npm test: failed'],
  [{ event: 'check-run', intent: 'I', command: 'npm test', exit: null, timed_out: true }, 'check', 'npm test: timeout'],
  [{ event: 'check-run', intent: 'I', command: 'x', exit: 0, timed_out: false, status: 'stale' }, 'check', 'x: stale'],
  [
    { event: 'attested', intent: 'I', criteria: ['it works'], person: 'proved' },
    'check',
    'A person attested: it works',
  ],
  [
    { event: 'attested', intent: 'I', criteria: ['it works'] },
    'check',
    'Attested, not proved that a person did it: it works',
  ],
  [
    { event: 'requested', session: 's', intent: 'I', kind: 'scope', wants: ['a/**', 'b'], reason: 'needed' },
    'request',
    'Requested: a/**, b',
  ],
  [
    { event: 'granted', request: 'r', session: 's', intent: 'I', kind: 'scope', wants: ['a'], via: 'terminal' },
    'request',
    'Granted, not proved that a person did it: a',
  ],
  [
    {
      event: 'rejected',
      request: 'r',
      session: 's',
      intent: 'I',
      kind: 'scope',
      wants: ['a'],
      via: 'command',
      reason: 'no',
    },
    'request',
    'Rejected, not proved that a person did it: a (no)',
  ],
  [{ event: 'intent-added', intent: 'I' }, 'edit', 'Added to the registry'],
  [{ event: 'intent-edited', intent: 'I', fields: ['name', 'scope'] }, 'edit', 'Edited: name, scope'],
  [{ event: 'intent-renumbered', intent: 'I', from: 'INT-009' }, 'edit', 'Renumbered from INT-009'],
  [
    { event: 'claim-stolen', session: 's', intent: 'I', from: 'old', why: 'ended' },
    'session',
    'Taken over from session old: that session has ended',
  ],
  [
    { event: 'claimed', session: 's', agent: 'aider', model: null, intent: 'I', path: 'a', records: ['1'] },
    'claim',
    'Earlier writes claimed by aider',
  ],
])('%j is told', (event, kind, what) => {
  const [reported] = happeningsOf([eventRecord('2026-03-10T10:00:00.000Z', event)], [])
  expect([reported?.kind, reported?.what]).toEqual([kind, what])
})

test('an event with fields of another kind, which another program wrote, is told as far as it is known', () => {
  const events = ['violation', 'transition', 'check-run', 'attested', 'requested', 'granted', 'rejected', 'claimed']
  const more = ['session-started', 'session-ended', 'claim-stolen', 'intent-edited', 'classified', 'made-up']
  for (const event of [...events, ...more])
    for (const value of [undefined, null, 7, {}, [null, {}]]) {
      const fields = {
        message: value,
        wants: value,
        criteria: value,
        from: value,
        why: value,
        session: value,
        path: value,
      }
      const odd = {
        event,
        ...fields,
        command: value,
        fields: value,
        agent: value,
        reason: value,
      } as unknown as LedgerEvent
      expect(
        () => happeningsOf([eventRecord('not a time', odd)], []),
        `${event} ${JSON.stringify(value)}`,
      ).not.toThrow()
    }
})
