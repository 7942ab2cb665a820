import { expect, test } from 'vitest'
import { Epoch } from '../../../../src/world/recording/git-evidence/epoch.ts'

const written = { since: 1_000, log: 7, reported: ['abc src/a'], missed: [], all: { at: 1_000, log: 7 }, looks: {} }

/** How long HEAD's log is does not matter here. */
const log = 9

test('what was recorded before a daemon started counts for as long as its epoch lasts', () => {
  const epoch = new Epoch(written)
  epoch.close({ at: 10_000, log })
  expect({ since: epoch.began.at, knows: epoch.hasSeen('src/a', 'abc') }).toEqual({ since: 1_000, knows: true })
  epoch.close({ at: 20_000, log })
  expect({ since: epoch.began.at, knows: epoch.hasSeen('src/a', 'abc') }).toEqual({ since: 10_000, knows: false })
})

test('an epoch that is saved and loaded again has everything once', () => {
  const epoch = new Epoch(written)
  epoch.markSeen('src/b', 'def')
  const readAgain = (saved: ReturnType<Epoch['saved']>) => ({ ...saved, looks: Object.fromEntries(saved.looks) })
  const again = readAgain(new Epoch(readAgain(epoch.saved())).saved())
  expect(again).toEqual({ ...written, reported: ['abc src/a', 'def src/b'] })
})
