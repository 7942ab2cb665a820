import { expect, test } from 'vitest'
import {
  findIntent,
  type Intent,
  INTENT_STATUSES,
  intentOfTicket,
  nextIntentId,
} from '../../../src/core/intents/intent.ts'
import {
  isLegalTransition,
  selectionRefusal,
  transitionRefusal,
  unmetDependencies,
} from '../../../src/core/intents/lifecycle.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'

const LEGAL = new Set([
  'PENDING > IN_PROGRESS',
  'PENDING > ABANDONED',
  'IN_PROGRESS > BLOCKED',
  'IN_PROGRESS > COMPLETED',
  'IN_PROGRESS > ABANDONED',
  'BLOCKED > IN_PROGRESS',
  'BLOCKED > ABANDONED',
])

const steps = INTENT_STATUSES.flatMap(from => INTENT_STATUSES.map(to => ({ from, to })))

test.each(steps)('$from to $to is legal exactly when the lifecycle says so', ({ from, to }) => {
  const legal = LEGAL.has(`${from} > ${to}`)
  expect(isLegalTransition({ from, to })).toBe(legal)
  expect(transitionRefusal({ id: 'INT-1', status: from }, to) === null).toBe(legal)
})

test('a refused step says where the intent stands and what can be done', () => {
  expect(transitionRefusal({ id: 'INT-1', status: 'PENDING' }, 'COMPLETED')).toEqual({
    why: "INT-1 is PENDING and can't become COMPLETED.",
    hint: 'From PENDING it can become IN_PROGRESS or ABANDONED. Start it: `kotef intent start INT-1`',
  })
  expect(transitionRefusal({ id: 'INT-1', status: 'COMPLETED' }, 'IN_PROGRESS')?.hint).toContain('intent reopen INT-1')
  expect(transitionRefusal({ id: 'INT-1', status: 'ABANDONED' }, 'IN_PROGRESS')?.hint).toBe(
    "ABANDONED is final. Open a new intent: `kotef intent add --name 'what is wanted' --scope 'src/**'`",
  )
  expect(transitionRefusal({ id: 'INT-1', status: 'BLOCKED' }, 'BLOCKED')?.why).toBe('INT-1 is BLOCKED already.')
})

test('an intent waits for every dependency that is not completed', () => {
  const all = intentsOf('A-1 COMPLETED', 'A-2 ABANDONED', 'A-3 IN_PROGRESS', 'A-4 PENDING A-1 A-2 A-3')
  expect(unmetDependencies(all[3] as Intent, all)).toEqual(['A-2', 'A-3'])
})

test('FR-005, FR-007: what is open and waits for nothing can be selected, and all else is not, with the reason', () => {
  const rows = ['A-1 COMPLETED', 'A-2 ABANDONED', 'A-3 BLOCKED', 'A-4 IN_PROGRESS', 'A-5 PENDING']
  const all = intentsOf(...rows, 'A-6 PENDING A-1', 'A-7 PENDING A-1 A-5 A-3')
  expect(all.map(it => [it.id, selectionRefusal(it, all)])).toEqual([
    ['A-1', 'is COMPLETED'],
    ['A-2', 'is ABANDONED'],
    ['A-3', 'is BLOCKED'],
    ['A-4', null],
    ['A-5', null],
    ['A-6', null],
    ['A-7', 'waits for A-5, A-3'],
  ])
  const standing = { ...(all[4] as Intent), standing: true }
  expect(selectionRefusal(standing, all)).toEqual(expect.any(String))
})

test('an unknown id is refused with the known ones, and with the one that may be meant', () => {
  const all = intentsOf('INT-001 PENDING', 'INT-002 BLOCKED')
  expect(findIntent(all, 'INT-002').id).toBe('INT-002')
  expect(() => findIntent(all, 'INT-9')).toThrow(
    'There is no intent INT-9.\nKnown intents:\n  INT-001  x\n  INT-002  BLOCKED  x',
  )
  expect(() => findIntent(all, 'CHORE-001')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('intent list') }),
  )
  for (const alike of ['int-001', 'INT-1', '1']) {
    expect(() => findIntent(all, alike)).toThrow(
      expect.objectContaining({ code: 'unknown-intent', hint: 'Did you mean INT-001?' }),
    )
  }
})

test.each([
  { ids: [], next: 'INT-001' },
  { ids: ['INT-001'], next: 'INT-002' },
  { ids: ['INT-001', 'INT-009'], next: 'INT-010' },
  { ids: ['INT-120', 'INT-007'], next: 'INT-121' },
  { ids: ['INT-5', 'PAY-1'], next: 'PAY-002' },
])('after $ids comes $next', ({ ids, next }) => {
  expect(nextIntentId(intentsOf(...ids.map(id => `${id} PENDING`)))).toBe(next)
})

function intentsOf(...rows: string[]): readonly Intent[] {
  const flow = rows.map(row => {
    const [id, status, ...depends] = row.split(' ')
    return `{ id: ${id}, name: x, status: ${status}, depends_on: [${depends.join(', ')}] }`
  })
  const { intents, problems } = readRegistry(`active_intents: [${flow.join(', ')}]`)
  expect(problems).toEqual([])
  return intents
}

test('an id that others know is not free', () => {
  expect(nextIntentId(intentsOf('INT-001 PENDING'), ['INT-004', 'API-9'])).toBe('INT-005')
})

test('the prefix of the next id is the one that the config names (team T12)', () => {
  const all = intentsOf('INT-001 PENDING', 'SHOP-12 PENDING')
  expect(nextIntentId(all)).toBe('SHOP-013')
  expect(nextIntentId(all, [], { prefix: 'INT' })).toBe('INT-002')
  expect(nextIntentId(all, [], { prefix: 'INT', standing: true })).toBe('CHORE-001')
})

test.each([
  ['SHOP-12', 'INT-001'],
  ['#4711', 'INT-002'],
  ['4711', 'INT-002'],
  ['SHOP-1', undefined],
  ['12', undefined],
  ['twice', undefined],
  ['INT-002', undefined],
  ['', undefined],
])('the ticket %j is that of %s', (key, id) => {
  const urls = [
    ['https://tracker.example/browse/SHOP-12', 'https://x.org/twice', 'https://x.org/INT-002'],
    ['https://forge.example/o/r/issues/4711', 'https://y.org/twice/'],
  ]
  const all = intentsOf('INT-001 PENDING', 'INT-002 PENDING').map((it, n) => ({
    ...it,
    related_specs: (urls[n] ?? []).map(url => ({ type: 'spec', url })),
  }))
  expect(intentOfTicket(all, key)?.id).toBe(id)
})
