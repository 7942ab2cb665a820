import { expect, test } from 'vitest'
import { readPastCalls } from '../../../../src/world/recording/agent-activity/past-calls.ts'
import {
  closeWindow,
  dropWindow,
  openWindow,
  readWindows,
} from '../../../../src/world/recording/agent-activity/windows.ts'
import type { Files } from '../../../../src/world/io/files/files.ts'
import { ownGroup } from '../../../../src/world/io/process/processes.ts'
import { EXECUTE_WINDOW_MS_MAX } from '../../../../src/core/base/thresholds.ts'
import { memoryFiles } from '../../../rig/brittle-files.ts'
import { manualClock } from '../../../rig/manual-clock.ts'

// No process has so high a number.
const GONE = 2 ** 30

const lane = { session: 's', lane: 'main' }
const call = { kind: 'exec', path: null, call: null } as const

/** The windows of a clone in memory, with its clock, and one that a command of an agent has opened. */
async function opened(disk: Partial<Files> = {}, pid: number | null = null) {
  const clock = manualClock()
  const files = { ...memoryFiles(), ...disk, modifiedAt: async () => clock.now() }
  const access = { gitDir: '/repo/.git', files, clock }
  await openWindow(access, { ...lane, ...call, agent: 'claude', model: null, pid })
  const openedAt = clock.now()
  // The file of the window keeps its time.
  files.modifiedAt = async () => openedAt
  return { access, clock, openedAt }
}

const kept = { session: 's', agent: 'claude', group: ownGroup() }

test('a call that is over is kept with the control group of its agent', async () => {
  const { access, clock, openedAt } = await opened()
  clock.advance(5_000)
  await closeWindow(access, { ...lane, ...call })
  await dropWindow(access, lane)
  expect(await readPastCalls(access)).toEqual([{ ...kept, from: openedAt, to: openedAt + 5_001 }])
  expect(await readWindows(access)).toEqual([])
})

test('a window ends also where its call cannot be kept', async () => {
  const memory = memoryFiles()
  const put: Files['put'] = async (path, bytes) => {
    if (path.includes('/calls/')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    await memory.put(path, bytes)
  }
  const { access } = await opened({ ...memory, put })
  await closeWindow(access, { ...lane, ...call })
  await dropWindow(access, lane)
  expect([await readWindows(access), await readPastCalls(access)]).toEqual([[], []])
})

test('the call of an agent that was killed is kept when its window is too old', async () => {
  const { access, clock, openedAt } = await opened()
  clock.advance(EXECUTE_WINDOW_MS_MAX + 1)
  expect(await readWindows(access)).toEqual([])
  expect(await readPastCalls(access)).toEqual([{ ...kept, from: openedAt, to: openedAt + EXECUTE_WINDOW_MS_MAX }])
})

test('as is one that has ended, whose window nobody has removed', async () => {
  const { access, clock, openedAt } = await opened()
  clock.advance(5_000)
  await closeWindow(access, { ...lane, ...call })
  clock.advance(EXECUTE_WINDOW_MS_MAX)
  await readWindows(access)
  expect(await readPastCalls(access)).toEqual([{ ...kept, from: openedAt, to: openedAt + 5_001 }])
})

test.each<[string, number | null, string, boolean]>([
  ['an agent whose process is gone is over', GONE, 'here', true],
  ['an agent that runs goes on', process.pid, 'here', false],
  ['an agent whose process is not known goes on', null, 'here', false],
  ['an agent of another machine goes on', GONE, 'elsewhere', false],
])('the call of %s', async (_, pid, host, isOver) => {
  const { access, clock } = await opened({}, pid)
  const here = { ...access, clock: Object.assign(Object.create(clock), { host: host === 'here' ? clock.host : host }) }
  clock.advance(5_000)
  const [window] = await readWindows(here)
  expect(window?.closedAt).toBe(isOver ? clock.now() : null)
  clock.advance(1_000)
  expect((await readWindows(here))[0]?.closedAt).toBe(isOver ? clock.now() - 1_000 : null)
})
