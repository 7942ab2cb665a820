import { expect, test } from 'vitest'
import { decide } from '../../../src/core/runs/decide.ts'
import type { RunEvent } from '../../../src/core/runs/event.ts'
import { profileTerms } from '../../../src/core/runs/limits.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { foldRun, runTerms } from '../../rig/safe-events.ts'

const command = (text: string, result: string, exit = 0): RunEvent => ({
  ...{ kind: 'tool', tool: 'Bash', args: { command: text }, result, exit, does: 'command' },
})
const read = (path: string): RunEvent => ({ kind: 'tool', tool: 'Read', args: { path }, result: `of ${path}` })
const edit = (n: number): RunEvent => ({ kind: 'edit', path: 'a', before: String(n), after: String(n + 1) })
const times = (count: number, events: (n: number) => RunEvent[]) =>
  Array.from({ length: count }, (_, n) => events(n)).flat()
const red = command('npm test', 'Error: no', 1)

const DAYS: readonly (readonly [day: string, events: RunEvent[]])[] = [
  ['a test that stays red four times while the code is edited', times(4, n => [red, edit(n)])],
  ['a test that stays red four times while files are read', times(4, n => [red, read(`f${n}`)])],
  ['the same question to git after each of ten edits', times(10, n => [edit(n), command('git status', 'same')])],
  ['searches without a match', times(10, n => [command(`grep word${n} src`, '', 1)])],
  ['a log that grows, looked at again and again', times(20, n => [command('tail log', `line ${n}`)])],
  ['a hundred files read in a row', times(100, n => [read(`f${n}`)])],
]

test.each(DAYS)('an ordinary day goes on without a warning: %s', (_, events) => {
  let run = startedRun(runTerms([]))
  for (const event of events) {
    run = foldRun(run, [event])
    for (const profile of [null, 'fast'] as const)
      expect(decide(run, profileTerms(profile)).status, `${profile}`).toBe('running')
  }
})
