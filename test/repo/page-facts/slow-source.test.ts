import { expect, test } from 'vitest'
import { slowSource } from '../../../src/shells/ui/facts/slow-source.ts'

/** A source whose work ends when the test says so. */
function heldSource() {
  const begun: {
    stamp: string
    end: (value: string) => void
    fail: (why: Error) => void
    progress: (n: number) => void
  }[] = []
  const source = slowSource<string>(
    (stamp, progress) =>
      new Promise((resolve, reject) => void begun.push({ stamp, end: resolve, fail: reject, progress })),
  )
  return { source, begun }
}

const atOnce = () => Promise.resolve()

test('a page is sent when its wait is over, and the work goes on', async () => {
  const { source, begun } = heldSource()
  expect(await source.ask('1', atOnce())).toEqual({ value: null, isCurrent: false, share: 0, failure: null })
  begun[0]?.progress(0.5)
  expect(await source.ask('1', atOnce())).toMatchObject({ value: null, share: 0.5 })
  begun[0]?.end('one')
  expect(await source.ask('1', null)).toEqual({ value: 'one', isCurrent: true, share: 1, failure: null })
  expect(begun).toHaveLength(1)
})

test('the facts of an earlier state are shown while newer ones are found, one piece of work at a time', async () => {
  const { source, begun } = heldSource()
  const first = source.ask('1', null)
  begun[0]?.end('one')
  await first
  expect(await source.ask('2', atOnce())).toMatchObject({ value: 'one', isCurrent: false })
  const newest = source.ask('3', null)
  await atOnce()
  expect(begun.map(it => it.stamp)).toEqual(['1', '2'])
  begun[1]?.end('two')
  while (begun.length < 3) await atOnce()
  begun[2]?.end('three')
  expect(await newest).toMatchObject({ value: 'three', isCurrent: true })
})

test('a failure is the answer for its state, and the next state is tried', async () => {
  const { source, begun } = heldSource()
  const asked = source.ask('1', null)
  begun[0]?.fail(new Error('no git'))
  expect(await asked).toMatchObject({ value: null, isCurrent: false, failure: expect.stringContaining('no git') })
  const next = source.ask('2', null)
  begun[1]?.end('two')
  expect(await next).toMatchObject({ value: 'two', failure: null })
})
