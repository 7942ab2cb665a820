import { expect, test } from 'vitest'
import { describedFailure, errorClass, placesIn } from '../../../src/core/outgoing/described-failure.ts'

test.each<[output: string, found: string | null]>([
  ['AssertionError: expected hunter2 to be 2', 'AssertionError'],
  ["src/a.ts(1,7): error TS2322: Type 'hunter2' is not assignable", 'error TS2322'],
  ['error[E0308]: mismatched types', 'error[E0308]'],
  ["thread 'main' panicked at src/main.rs:3", 'panicked'],
  ['Error: connect failed: postgres://admin:hunter2@db', 'Error'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'],
  ['sh: 1: hunter2: not found', 'command not found'],
  ['E   KeyError: "hunter2"', 'KeyError'],
  ['Hunter2Error: no', null],
  ['expected hunter2\nreceived 3', 'a failed assertion'],
  ['FAILED tests/test_a.py::test_hunter2', 'failed tests'],
  ['\u001b[31m\u001b[1mAssertionError\u001b[22m: expected hunter2', 'AssertionError'],
  ['hunter2', null],
])('%s', (output, found) => {
  expect(errorClass(output)).toBe(found)
})

test('the place is a line of a tracked file only', () => {
  const output =
    'TypeError: no\n  at hunter2 (/srv/app/src/a.ts:3:9)\n  at ./lib/b.py:7\nFile "src/c.py", line 12\nhunter2.txt:4'
  const places = placesIn(output, '/srv/app')
  expect(places).toEqual([
    { path: 'src/a.ts', line: 3 },
    { path: 'lib/b.py', line: 7 },
    { path: 'src/c.py', line: 12 },
    { path: 'hunter2.txt', line: 4 },
  ])
  expect(describedFailure(output, places.slice(1, 2))).toBe('TypeError at lib/b.py:7')
  expect(describedFailure(output, [])).toBe('TypeError')
  expect(describedFailure('no', places)).toBe('an error at src/a.ts:3')
  expect(describedFailure('no', [])).toBe('')
  expect(placesIn('at \u001b[22msrc/a.ts:\u001b[2m3:9\u001b[22m', '/srv/app')).toEqual([{ path: 'src/a.ts', line: 3 }])
  expect(placesIn('at /etc/hunter2.txt:3, ../x/y.ts:2, node_modules/a/b.js:1', '/srv/app')).toEqual([])
})
