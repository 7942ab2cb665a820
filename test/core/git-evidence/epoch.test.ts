import { expect, test } from 'vitest'
import { periodOf } from '../../../src/git-evidence/epoch.ts'

const written = { since: 1_000, log: 7, told: ['abc src/a'], missed: [], all: { at: 1_000, log: 7 }, looks: {} }

/** How long HEAD's log is does not matter here. */
const log = 9

test('what was told of before a daemon came lasts as long as the period that it was told in', () => {
  const period = periodOf(written)
  period.rested({ at: 10_000, log })
  expect({ since: period.since(), knows: period.knows('src/a', 'abc') }).toEqual({ since: 1_000, knows: true })
  period.rested({ at: 20_000, log })
  expect({ since: period.since(), knows: period.knows('src/a', 'abc') }).toEqual({ since: 10_000, knows: false })
})

test('a period that is written down and taken up again tells of everything once', () => {
  const period = periodOf(written)
  period.keep('src/b', 'def')
  expect(periodOf(period.written()).written()).toEqual({ ...written, told: ['abc src/a', 'def src/b'] })
})
