import { expect, test } from 'vitest'
import { PendingPaths } from '../../../src/shells/daemon/pending-paths.ts'

test('what an event told of was not missed, whoever else found it, and in whatever order', () => {
  const reports = new PendingPaths()
  reports.addFromEvent('a', 1)
  reports.addFromScan('a', 'reconcile')
  reports.addFromScan('b', 'reconcile')
  reports.addFromEvent('b', 2)
  reports.addFromScan('c', 'reconcile')
  expect(['a', 'b', 'c', 'd'].map(path => reports.get(path))).toEqual([
    { source: 'daemon', eventAt: 1 },
    { source: 'daemon', eventAt: 2 },
    { source: 'reconcile', eventAt: null },
    { source: 'daemon', eventAt: null },
  ])
})

test('what changed while nobody watched stays that, whatever an event tells', () => {
  const reports = new PendingPaths()
  reports.addFromScan('a', 'catch-up')
  reports.addFromEvent('a', 1)
  expect(reports.get('a')).toEqual({ source: 'catch-up', eventAt: 1 })
})

test('what is put back is as it was, but for what was heard meanwhile', () => {
  const reports = new PendingPaths()
  reports.addFromEvent('a', 1)
  reports.addFromScan('b', 'reconcile')
  const taken = reports.take(['a', 'b'])
  expect([reports.get('a').eventAt, reports.get('b').source]).toEqual([null, 'daemon'])
  reports.addFromEvent('b', 2)
  reports.putBack(taken, ['a', 'b'])
  expect([reports.get('a'), reports.get('b')]).toEqual([
    { source: 'daemon', eventAt: 1 },
    { source: 'daemon', eventAt: 2 },
  ])
})
