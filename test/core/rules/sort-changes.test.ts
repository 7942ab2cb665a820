import { expect, test } from 'vitest'
import { sortChanges } from '../../../src/core/rules/commit-facts.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const changes = changesOf([REGISTRY, 'src/a.ts', 'vendor/b.js', 'key.pem', '.vscode/settings.json'])

test('the staged paths are sorted by the part of the policy that applies to them', () => {
  const { work, governanceFiles, settings, barred } = sortChanges({ ...calmFacts, changes })
  expect(work).toEqual(['src/a.ts', '.vscode/settings.json'])
  expect([governanceFiles, settings]).toEqual([[REGISTRY], ['.vscode/settings.json']])
  expect(barred.map(it => `${it.path} ${it.verdict.kind}`)).toEqual(['vendor/b.js forbidden', 'key.pem ignored'])
})

test('the rules of one judgement share the answer, and another one gets its own', () => {
  const facts = { ...calmFacts, changes }
  const sorted = sortChanges(facts)
  expect(sortChanges({ ...facts })).toBe(sorted)
  for (const other of [{ changes: [...changes] }, { policy: { ...policy } }, { onlyTransitions: true }])
    expect(sortChanges({ ...facts, ...other })).not.toBe(sorted)
  expect(sortChanges({ ...facts, onlyTransitions: true }).governanceFiles).toEqual([])
  expect(sortChanges({ ...facts, policy: { ...policy, forbidden: [] } }).work).toContain('vendor/b.js')
})
