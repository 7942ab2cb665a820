import { expect, test } from 'vitest'
import { errorSignature, isInfrastructureError, normalisedTail } from '../../../src/core/runs/error-signature.ts'

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a time of day', 'Start at 10:11:12', 'Start at <time>'],
  ['a date', 'at 2026-11-20T10:00:01.123Z: no', 'at <time>: no'],
  ['a duration', '1 failed in 12.5ms', '1 failed in <duration>'],
  ['a temporary path', 'in /tmp/run-1/a.ts:3:1', 'in <tmp>:3:1'],
  ['a port', 'listening on 127.0.0.1:41233', 'listening on 127.0.0.1:<port>'],
  ['a process id', 'pid: 4411', 'pid: <pid>'],
  ['a process id of Node', '(node:20001) Warning: x', '(node:<pid>) Warning: x'],
  ['a process id of a logger', '[20001] ERROR boom', '[<pid>] ERROR boom'],
  ['a process id in a sentence', 'process 20001 killed', 'process <pid> killed'],
  ['a process id of a shell', 'bash: line 1: 20001 Killed  npm test', 'bash: line 1: <pid> Killed  npm test'],
  ['an attempt', 'attempt 3 of 99', 'attempt <number> of 99'],
  ['a share', '12.5% done', '<number>% done'],
  ['a seed', 'seed 10077', 'seed <number>'],
  ['an id of a request', 'no answer to req_01HXYZ8KQ3', 'no answer to req_<id>'],
  ['a time by the clock', 'at 10:42 AM', 'at <time>'],
  ['a position stays', 'src/a.ts:10:42 expected 3', 'src/a.ts:10:42 expected 3'],
  ['an index stays', 'at items[2]', 'at items[2]'],
  ['a name stays', 'call_with_arguments failed', 'call_with_arguments failed'],
  ['an id', 'run 0f8fad5b-d9cb-469f-a165-70867728950e', 'run <uuid>'],
  ['a hash', 'commit 1a2b3c4d5e6f', 'commit <hex>'],
  ['a line number stays', 'at src/a.ts:12:5', 'at src/a.ts:12:5'],
  ['a count stays', '3 tests failed', '3 tests failed'],
  ['a word of hexadecimal letters stays', 'defaced facade', 'defaced facade'],
])('%s', (_, output, normal) => {
  expect(normalisedTail(output)).toBe(normal)
})

test.each([
  ['times and dates', 'Error: no\n at 2026-11-20T10:00:01Z', 'Error: no\n at 2026-11-21T23:10:09Z'],
  ['durations', '1 failed in 12.5ms', '1 failed in 9 ms'],
  ['ports and process ids', 'pid 4411 on localhost:41233', 'pid 902 on localhost:5021'],
  ['temporary paths', 'Error: no\n in /tmp/run-a1/x', 'Error: no\n in /tmp/run-zz/x'],
  ['colours', '\u001b[31mError: no\u001b[0m', 'Error: no'],
])('the same failure has the same signature, also with other %s', (_, once, again) => {
  expect(errorSignature('npm test', once, 'salt')).toBe(errorSignature('npm test', again, 'salt'))
  const other = once.replace(/no|failed|on /, 'yes')
  expect(errorSignature('npm test', once, 'salt')).not.toBe(errorSignature('npm test', other, 'salt'))
})

test('an error that moved, and another command, have another signature', () => {
  const error = 'Error: no\n at src/a.ts:3:1'
  expect(errorSignature('npm test', error, 'salt')).toBe(errorSignature('npm test', `${error}\n\n`, 'salt'))
  expect(errorSignature('npm test', error, 'salt')).not.toBe(
    errorSignature('npm test', error.replace(':3:', ':4:'), 'salt'),
  )
  expect(errorSignature('npm test', error, 'salt')).not.toBe(errorSignature('npm run test', error, 'salt'))
})

test.each([
  ['HTTP 503 Service Unavailable', true],
  ['Error: getaddrinfo ENOTFOUND registry.npmjs.org', true],
  ['429 Too Many Requests', true],
  ['write ENOSPC', true],
  ['Error: connect ECONNREFUSED 127.0.0.1:3000', false],
  ['expected 503 lines, got 502', false],
])('%s is a failure of the infrastructure: %s', (output, is) => {
  expect(isInfrastructureError(output)).toBe(is)
})
