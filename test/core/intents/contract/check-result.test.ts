import { expect, test } from 'vitest'
import {
  allPassed,
  checkStatus,
  type CheckStatus,
  parsePasses,
  passKey,
} from '../../../../src/core/intents/contract/check-result.ts'

test.each<[what: string, exit: number | null, timedOut: boolean, hasTreeMoved: boolean, status: CheckStatus]>([
  ['exit 0', 0, false, false, 'passed'],
  ['exit 1', 1, false, false, 'failed'],
  ['a shell that finds no command', 127, false, false, 'error'],
  ['a shell that may not run a file', 126, false, false, 'error'],
  ['a signal', null, false, false, 'error'],
  ['the time limit', null, true, false, 'timeout'],
  ['exit 0 on a tree that moved', 0, false, true, 'stale'],
  ['exit 1 on a tree that moved', 1, false, true, 'stale'],
  ['the time limit on a tree that moved', null, true, true, 'stale'],
])('%s is a status', (_, exit, timedOut, hasTreeMoved, status) => {
  expect(checkStatus({ exit, timedOut, hasTreeMoved })).toBe(status)
})

test('no check is no success, and one that did not pass is none', () => {
  const all = (...statuses: CheckStatus[]) => allPassed(statuses.map(status => ({ status })))
  expect([all(), all('passed'), all('passed', 'passed')]).toEqual([false, true, true])
  for (const it of ['failed', 'timeout', 'error', 'stale'] as const) expect(all('passed', it)).toBe(false)
})

test('a pass counts for the same command, tree, environment, machine and clone only', () => {
  const around = { cwd: '.', env: { PATH: '/bin', CI: '1' }, machine: 'linux v20', salt: 'a' }
  const input = { command: 'npm test', tree: 'a'.repeat(40), ...around }
  const key = passKey(input)
  const others = [
    { ...input, command: 'npm  test' },
    { ...input, tree: 'b'.repeat(40) },
    { ...input, env: { ...input.env, CI: '' } },
    { ...input, env: { PATH: '/bin' } },
    { ...input, machine: 'linux v22' },
    { ...input, cwd: 'lib' },
    { ...input, salt: 'b' },
  ]
  expect(new Set([key, ...others.map(passKey)]).size).toBe(8)
  const elsewhere = { CI: '1', PWD: '/tmp', SHLVL: '2', TERM: 'xterm', NONE: undefined, PATH: '/bin' }
  expect(passKey({ ...input, env: elsewhere })).toBe(key)
})

test.each([
  ['null', null],
  ['{}', null],
  ['[{"key":1,"at":2}]', null],
  ['[null]', null],
  ['[]', []],
  ['[{"key":"a","at":2}]', [{ key: 'a', at: 2 }]],
])('the passes in %s are %j', (text, passes) => {
  expect(parsePasses(text)).toEqual(passes)
})
