import { expect, test } from 'vitest'
import { PendingPaths } from '../../../src/daemon/pending-paths.ts'

test('what an event told of was not missed, whoever else found it, and in whatever order', () => {
  const tidings = new PendingPaths()
  tidings.addFromEvent('a', 1)
  tidings.addFromScan('a', 'reconcile')
  tidings.addFromScan('b', 'reconcile')
  tidings.addFromEvent('b', 2)
  tidings.addFromScan('c', 'reconcile')
  expect(['a', 'b', 'c', 'd'].map(path => tidings.get(path))).toEqual([
    { source: 'daemon', eventAt: 1 },
    { source: 'daemon', eventAt: 2 },
    { source: 'reconcile', eventAt: null },
    { source: 'daemon', eventAt: null },
  ])
})

test('what changed while nobody watched stays that, whatever an event tells', () => {
  const tidings = new PendingPaths()
  tidings.addFromScan('a', 'catch-up')
  tidings.addFromEvent('a', 1)
  expect(tidings.get('a')).toEqual({ source: 'catch-up', eventAt: 1 })
})

test('what is put back is as it was, but for what was heard meanwhile', () => {
  const tidings = new PendingPaths()
  tidings.addFromEvent('a', 1)
  tidings.addFromScan('b', 'reconcile')
  const taken = tidings.take(['a', 'b'])
  expect([tidings.get('a').eventAt, tidings.get('b').source]).toEqual([null, 'daemon'])
  tidings.addFromEvent('b', 2)
  tidings.putBack(taken, ['a', 'b'])
  expect([tidings.get('a'), tidings.get('b')]).toEqual([
    { source: 'daemon', eventAt: 1 },
    { source: 'daemon', eventAt: 2 },
  ])
})
