import { expect, test } from 'vitest'
import { errorSignature, isInfrastructureError, normalisedTail } from '../../../src/runs/error-signature.ts'

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a time of day', 'Start at 10:11:12', 'Start at <time>'],
  ['a date', 'at 2026-11-20T10:00:01.123Z: no', 'at <time>: no'],
  ['a duration', '1 failed in 12.5ms', '1 failed in <duration>'],
  ['a temporary path', 'in /tmp/run-1/a.ts:3:1', 'in <tmp>:3:1'],
  ['a port', 'listening on 127.0.0.1:41233', 'listening on 127.0.0.1:<port>'],
  ['a process id', 'pid: 4411', 'pid: <pid>'],
  ['an id', 'run 0f8fad5b-d9cb-469f-a165-70867728950e', 'run <uuid>'],
  ['a hash', 'commit 1a2b3c4d5e6f', 'commit <hex>'],
  ['a line number stays', 'at src/a.ts:12:5', 'at src/a.ts:12:5'],
  ['a count stays', '3 tests failed', '3 tests failed'],
  ['a word of hexadecimal letters stays', 'defaced facade', 'defaced facade'],
])('%s', (_, output, normal) => {
  expect(normalisedTail(output)).toBe(normal)
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
