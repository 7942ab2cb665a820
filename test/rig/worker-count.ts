import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'

/**
 * How many workers run the tests: two, or one where two start processes no faster than one does. That is so on machines
 * whose kernel has one lock for new pages; a second worker only makes each test slower there. Takes less than 2 s.
 */
export function workerCount(): number {
  if (availableParallelism() < 2) return 1
  return secondsFor(1) * 2 > secondsFor(2) * GAIN_MIN ? 2 : 1
}

// Tests also wait for daemons, and two workers wait at the same time.
const GAIN_MIN = 1.2
const STARTS = 60

/** The time in which this many shells at once start git, each as often as one alone. */
function secondsFor(shells: number): number {
  const loop = `(i=0; while [ $i -lt ${STARTS} ]; do git --version >/dev/null; i=$((i+1)); done) &`
  const began = performance.now()
  spawnSync('sh', ['-c', `${loop} `.repeat(shells) + 'wait'])
  return (performance.now() - began) / 1000
}
