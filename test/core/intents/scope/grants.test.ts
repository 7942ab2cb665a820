import { expect, test } from 'vitest'
import { grantedPolicy, newlyGranted } from '../../../../src/core/intents/scope/grants.ts'
import type { Policy } from '../../../../src/core/intents/scope/policy.ts'

const policyOf = (...scope: string[]): Policy => {
  const intents = [{ id: 'A-1', name: 'n', status: 'IN_PROGRESS', owned_scope: scope }] as const
  return { intents, governance: [], forbidden: [], intentignore: [] }
}

test.each<[what: string, origin: string[], granted: string[], newer: string[], scope: string[]]>([
  ['nothing', ['a', 'b'], ['a', 'b'], ['a'], ['a']],
  ['a path', ['a', 'b'], ['a', 'b', 'c'], ['a'], ['a', 'c']],
  ['a path, and the newer one excludes another', ['a'], ['a', 'c'], ['a', '!a/b'], ['a', '!a/b', 'c']],
])('an older policy that was granted %s gives a newer one no more than that', (_, origin, granted, newer, scope) => {
  const [old, present] = [policyOf(...origin), policyOf(...newer)]
  const grants = newlyGranted(policyOf(...granted).intents, old, present)
  expect(grantedPolicy(present, grants).intents).toEqual(policyOf(...scope).intents)
})

test('an intent that neither policy has is granted as a whole', () => {
  const [grant] = policyOf('a', '!a/b').intents
  const none = { ...policyOf(), intents: [] }
  expect(newlyGranted(grant ? [grant] : [], none, none)).toEqual([grant])
})
