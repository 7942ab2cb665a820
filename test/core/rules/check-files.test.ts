import { expect, test } from 'vitest'
import { readRegistry } from '../../../src/core/intents/registry.ts'
import { checkFileFindings } from '../../../src/core/rules/check-files.ts'

const blob = { mode: '100644', oid: 'b' }
const changed = (path: string) => ({ path, before: blob, after: blob })

test.each<[check: string, path: string, isNamed: boolean]>([
  ['cmd: node --test test/a.test.ts', 'test/a.test.ts', true],
  ['cmd: node --test ./test/a.test.ts', 'test/a.test.ts', true],
  ['cmd: "sh -c \'scripts/check.sh; true\'"', 'scripts/check.sh', true],
  ['cmd: pytest test_a.py::test_b', 'test_a.py', true],
  ['cmd: ./run.sh, cwd: packages/api', 'packages/api/run.sh', true],
  ['cmd: ./run.sh, cwd: ./packages/api/', 'packages/api/run.sh', true],
  ['cmd: ./run.sh, cwd: packages/api', 'run.sh', false],
  ['cmd: node --test test', 'test/a.test.ts', false],
  ['cmd: node --test test/a.test.ts', 'a.test.ts', false],
  ['cmd: npm test', 'package.json', false],
])('a check { %s } names %s: %s', (check, path, isNamed) => {
  const { intents } = readRegistry(
    `active_intents: [{ id: INT-001, name: n, status: PENDING, acceptance_criteria: [{ ${check} }] }]`,
  )
  expect(intents).toHaveLength(1)
  const found = checkFileFindings({ oid: 'c', cited: ['INT-001'], changes: [changed(path)] }, intents)
  expect(found.map(it => [it.level, it.path])).toEqual(isNamed ? [['review', path]] : [])
  expect(checkFileFindings({ oid: 'c', cited: ['INT-002'], changes: [changed(path)] }, intents)).toEqual([])
  const created = { path, before: null, after: blob }
  expect(checkFileFindings({ oid: 'c', cited: ['INT-001'], changes: [created] }, intents)).toEqual([])
})
