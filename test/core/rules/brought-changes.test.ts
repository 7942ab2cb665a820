import { expect, test } from 'vitest'
import { pathNames, withBrought, withoutAccepted } from '../../../src/core/rules/brought-changes.ts'
import { calmFacts, changesOf } from './commit-world.ts'

const merge = { ...calmFacts, changes: changesOf(['own']), conflicted: ['lib/x', 'own'] }
const changes = changesOf(['lib/x', '.husky/pre-commit', 'k.pem'])

test('a merge answers for all that it brings, and for no conflict', () => {
  const facts = withBrought(merge, { changes, isOlder: false })
  expect(facts.changes).toEqual(changes)
  expect(facts.conflicted).toEqual(['own'])
  expect(withBrought(merge, null)).toBe(merge)
})

test('of a branch from before the adoption it answers for what no intent may change', () => {
  const facts = withBrought(merge, { changes, isOlder: true })
  expect(facts.brought).toEqual(['.husky/pre-commit', 'k.pem'])
  expect(facts.broughtUnjudged).toEqual(['lib/x'])
})

test.each([
  ['a person accepts it', false, ['.husky/pre-commit', 'k.pem']],
  ['an agent does not', true, ['lib/x', '.husky/pre-commit', 'k.pem']],
])('with a reason %s, but for what nobody may change', (_, byAgent, left) => {
  const facts = { ...withBrought(merge, { changes, isOlder: false }), governance: 'why', byAgent }
  expect(withoutAccepted(facts).changes.map(it => it.path)).toEqual(left)
})

test('many paths are counted', () => expect(pathNames('abcdefg'.split(''))).toBe('a, b, c, d, e and 2 more'))
