import { expect, test } from 'vitest'
import { isExpiredWindow, type ToolWindow, windowsAt } from '../../../src/core/authorship/tool-window.ts'

const MINUTE_MS = 60_000
const exec: ToolWindow = {
  session: 's',
  agent: 'claude',
  model: null,
  kind: 'exec',
  path: null,
  call: null,
  openedAt: 1_000,
  closedAt: null,
  host: 'rig',
}
const write: ToolWindow = { ...exec, kind: 'write', path: 'a' }

test.each<[what: string, window: ToolWindow, path: string, at: number, isAround: boolean]>([
  ['a command, as it begins', exec, 'a', 1_000, true],
  ['a command, before it began', exec, 'a', 999.9, false],
  ['a command that is over, until then', { ...exec, closedAt: 2_000 }, 'a', 2_000, true],
  ['a command that is over, later', { ...exec, closedAt: 2_000 }, 'a', 2_001, false],
  ['a write, of its path', write, 'a', 5_000, true],
  ['a write, of another path', write, 'b', 5_000, false],
  ['a write, before it began', write, 'a', 999, false],
])('through the window of %s', (_, window, path, at, isAround) => {
  expect(windowsAt([window], { path, at })).toEqual(isAround ? [window] : [])
})

test.each<[what: string, window: ToolWindow, ms: number, is: boolean]>([
  ['a write, for a minute', write, MINUTE_MS, false],
  ['a write, for longer', write, MINUTE_MS + 1, true],
  ['a command, for an hour', exec, 60 * MINUTE_MS, false],
  ['a command, for longer', exec, 60 * MINUTE_MS + 1, true],
  ['a command that begins tomorrow', exec, -24 * 60 * MINUTE_MS, true],
])('the window of %s is taken at its word, or is stale', (_, window, ms, is) => {
  expect(isExpiredWindow(window, window.openedAt + ms)).toBe(is)
})
