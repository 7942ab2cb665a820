import { expect, test } from 'vitest'
import { verificationSarif } from '../../../src/core/report/verification-sarif.ts'
import type { CommitFinding } from '../../../src/core/report/verification.ts'

const finding: CommitFinding = {
  rule: 'in-scope',
  level: 'block',
  path: 'src/a b.ts',
  message: 'it is outside',
  hint: 'Unstage it.',
  commit: 'abcdef0123456789',
  subject: 'add',
}

const runOf = (...findings: CommitFinding[]) => JSON.parse(verificationSarif({ findings }, '1.2.3')).runs[0]
const resultOf = (changed: Partial<CommitFinding>) => runOf({ ...finding, ...changed }).results[0]

test('each rule is described once, and each result points to its own', () => {
  const run = runOf(finding, { ...finding, rule: 'adoption' }, finding)
  expect(run.tool.driver.rules.map((it: { id: string }) => it.id)).toEqual(['adoption', 'in-scope'])
  expect(run.results.map((it: { ruleIndex: number }) => it.ruleIndex)).toEqual([1, 0, 1])
})

test.each([
  ['block', 'error'],
  ['review', 'warning'],
] as const)('the level %s is the level %s of SARIF', (level, expected) => {
  expect(resultOf({ level }).level).toBe(expected)
})

test('a result names its commit, and says what is wrong and the way out', () => {
  expect(resultOf({}).message.text).toBe('abcdef0123 (add): it is outside. Unstage it.')
  expect(resultOf({ commit: null, subject: null }).message.text).toBe('it is outside. Unstage it.')
})

test.each([
  ['a path, as a URI', 'src/a b.ts', 'src/a%20b.ts'],
  ['the registry, for a finding about no file', null, '.orchestration/active_intents.yaml'],
])('a result is shown at %s', (_, path, uri) => {
  expect(resultOf({ path }).locations[0].physicalLocation.artifactLocation.uri).toBe(uri)
})

test('the fingerprint stays the same until rule, path, commit or message change', () => {
  const of = (changed: Partial<CommitFinding>): string => resultOf(changed).partialFingerprints['kotef/v1']
  expect(of({ hint: 'other', subject: 'other', level: 'review' })).toBe(of({}))
  const others = [{ rule: 'x' }, { path: 'x' }, { commit: 'x' }, { message: 'x' }].map(of)
  expect(new Set([of({}), ...others])).toHaveProperty('size', 5)
})

test('no findings are a valid report as well', () => {
  expect(runOf()).toMatchObject({ results: [], tool: { driver: { name: 'kotef', version: '1.2.3', rules: [] } } })
})
