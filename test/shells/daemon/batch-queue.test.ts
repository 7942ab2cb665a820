import { expect, test } from 'vitest'
import { BatchQueue } from '../../../src/shells/daemon/batch-queue.ts'

function queueOf(batch: () => Promise<void>) {
  let batches = 0
  const counted = (): Promise<void> => {
    batches++
    return batch()
  }
  const queue = new BatchQueue({
    ticks: () => 0,
    dueAt: () => 0,
    batch: counted,
    failed: () => {},
    batchEnded: () => {},
  })
  return { queue, batches: () => batches }
}

test('at its end it waits for the batch that is running, and runs no other', async () => {
  const order: string[] = []
  let release = (): void => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const { queue, batches } = queueOf(() => released.then(() => void order.push('batch')))
  void queue.run()
  const ended = queue.end(60_000).then(() => order.push('end'))
  release()
  await ended
  expect([order, batches(), queue.isClosed]).toEqual([['batch', 'end'], 1, true])
})

test('it waits no longer than it may', async () => {
  const { queue } = queueOf(() => new Promise(() => {}))
  void queue.run()
  await queue.end(1)
  expect(queue.isClosed).toBe(true)
})
