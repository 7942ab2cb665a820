import { expect, test } from 'vitest'
import { historyProgress } from '../../../src/shells/cli/history-progress.ts'
import { manualClock } from '../../rig/manual-clock.ts'

test('work of a moment says nothing; long work names each tenth at most once, and not its end', () => {
  const clock = manualClock()
  const said: string[] = []
  const progress = historyProgress({ notify: line => said.push(line) }, clock)
  progress(0.3)
  expect(said).toEqual([])
  clock.advance(2_000)
  for (const share of [0.05, 0.4, 0.41, 0.49, 0.7, 1]) progress(share)
  expect(said).toEqual(['kotef is reading the history: 40 %', 'kotef is reading the history: 70 %'])
})
