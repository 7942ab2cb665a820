import { expect, test } from 'vitest'
import { SWEEP_MS_MAX, SWEEP_PATHS_MIN, SWEEP_REST_MS } from '../../../src/core/base/thresholds.ts'
import { Sweep } from '../../../src/shells/daemon/sweep.ts'
import type { Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { memoryFiles } from '../../rig/brittle-files.ts'
import { manualClock } from '../../rig/manual-clock.ts'

/** A sweep in a worktree whose folders were changed at a time. */
function sweepAt(changedAt: (clock: ReturnType<typeof manualClock>) => number | null) {
  const clock = manualClock()
  const files = { ...memoryFiles(), modifiedAt: async () => changedAt(clock) }
  const place = { root: '/r', gitDir: '/r/.git', commonDir: '/r/.git' }
  return { clock, sweep: new Sweep({ ...place, files, clock } as unknown as Workspace) }
}

test('few paths are no sweep, however late the last one was', async () => {
  const { sweep } = sweepAt(clock => clock.now())
  sweep.noticed()
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN - 1)).toBe(false)
})

test('many paths are one until none has changed for a while', async () => {
  const { sweep, clock } = sweepAt(() => null)
  sweep.noticed()
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(true)
  clock.advance(SWEEP_REST_MS - 1)
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(true)
  clock.advance(1)
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(false)
})

test('and until git’s own folders rest as well, but not for ever', async () => {
  const { sweep, clock } = sweepAt(it => it.now())
  sweep.noticed()
  clock.advance(SWEEP_REST_MS)
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(true)
  clock.advance(SWEEP_MS_MAX)
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(true)
  clock.advance(1)
  expect(await sweep.isUnderWay(SWEEP_PATHS_MIN)).toBe(false)
})

test('what waits for its end ends with the worktree', async () => {
  const { sweep } = sweepAt(it => it.now())
  sweep.noticed()
  let looks = 0
  await sweep.whenOver(
    () => SWEEP_PATHS_MIN,
    async () => ++looks < 3,
  )
  expect(looks).toBe(3)
})
