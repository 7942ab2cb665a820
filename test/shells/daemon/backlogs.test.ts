import { expect, test } from 'vitest'
import { Backlogs } from '../../../src/shells/daemon/backlogs.ts'

const NONE = new Set<string>()

test('a backlog is done when each of its paths was inspected, whatever is inspected beside them', () => {
  const backlogs = new Backlogs()
  using backlog = backlogs.open(['a', 'b'], false)
  const done = [['a', 'later'], ['later'], ['b']].map(paths => {
    backlogs.inspected(paths, NONE)
    return backlog.isDone()
  })
  expect(done).toEqual([false, false, true])
})

test('a path that must be inspected again is open', () => {
  const backlogs = new Backlogs()
  using backlog = backlogs.open(['a'], false)
  backlogs.inspected(['a'], new Set(['a']))
  expect(backlog.isDone()).toBe(false)
})

test('an index that has moved is open, and then the paths that it shows, where it is waited for', () => {
  const backlogs = new Backlogs()
  using before = backlogs.open([], true)
  using other = backlogs.open([], false)
  expect([before.isDone(), other.isDone()]).toEqual([false, true])
  backlogs.indexRead(['a'])
  backlogs.indexRead(['later'])
  expect([before.isDone(), other.isDone()]).toEqual([false, true])
  backlogs.inspected(['a'], NONE)
  expect(before.isDone()).toBe(true)
})
