import { expect, test } from 'vitest'
import { Tidings } from '../../../src/daemon/tidings.ts'

test('what an event told of was not missed, whoever else found it, and in whatever order', () => {
  const tidings = new Tidings()
  tidings.heard('a', 1)
  tidings.found('a', 'reconcile')
  tidings.found('b', 'reconcile')
  tidings.heard('b', 2)
  tidings.found('c', 'reconcile')
  expect(['a', 'b', 'c', 'd'].map(path => tidings.of(path))).toEqual([
    { source: 'daemon', heardAt: 1 },
    { source: 'daemon', heardAt: 2 },
    { source: 'reconcile', heardAt: null },
    { source: 'daemon', heardAt: null },
  ])
})

test('what changed while nobody watched stays that, whatever an event tells', () => {
  const tidings = new Tidings()
  tidings.found('a', 'catch-up')
  tidings.heard('a', 1)
  expect(tidings.of('a')).toEqual({ source: 'catch-up', heardAt: 1 })
})

test('what is put back is as it was, but for what was heard meanwhile', () => {
  const tidings = new Tidings()
  tidings.heard('a', 1)
  tidings.found('b', 'reconcile')
  const taken = tidings.take(['a', 'b'])
  expect([tidings.of('a').heardAt, tidings.of('b').source]).toEqual([null, 'daemon'])
  tidings.heard('b', 2)
  tidings.putBack(taken, ['a', 'b'])
  expect([tidings.of('a'), tidings.of('b')]).toEqual([
    { source: 'daemon', heardAt: 1 },
    { source: 'daemon', heardAt: 2 },
  ])
})
