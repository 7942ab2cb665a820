import { expect, test } from 'vitest'
import { readConfig } from '../../../src/core/intents/config.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'
import {
  callPolicyOf,
  handoverGatesOf,
  policyFromTexts,
  policyOf,
  type PolicySources,
} from '../../../src/core/rules/policy-of-sources.ts'

const registry = (scope: string) =>
  `version: 1\nactive_intents: [{ id: INT-001, name: work, owned_scope: ["${scope}"] }]\n`
const configOf = (text: string) => readConfig(text).config

const sources: PolicySources = {
  ...{ intents: readRegistry(registry('src/**')).intents, config: configOf(''), isTeam: false, headOid: null },
  ...{
    markdown: '## Forbidden Paths\n- `keys/**`\n',
    ignore: '# secrets\n\nsecret\r\n',
    head: [null, null, null, null],
  },
}

test('without a policy at HEAD that of the worktree counts', () => {
  expect(policyOf(sources)).toMatchObject({
    intents: [{ id: 'INT-001', owned_scope: ['src/**'] }],
    ...{ forbidden: ['keys/**'], intentignore: ['secret'] },
  })
  expect(policyOf(sources)).not.toHaveProperty('isTeam')
  expect(policyOf({ ...sources, isTeam: true })).toHaveProperty('isTeam', true)
})

test('an edit in the worktree never allows more than HEAD', () => {
  const head = [registry('src/a/**'), 'agents: { ignored: deny }', '## Forbidden Paths\n- `src/b/**`\n', 'old\n']
  const policy = policyOf({ ...sources, head })
  expect(policy).toMatchObject({
    intents: [{ owned_scope: ['src/a/**'] }],
    ...{ forbidden: ['src/b/**', 'keys/**'], intentignore: ['old', 'secret'] },
  })
  const config = configOf('agents: { temporary: deny }\nopaque_commands: ask\n')
  expect(callPolicyOf({ ...sources, config, head })).toEqual({
    ...{ policy: policyOf({ ...sources, config, head }), claims: config.claims },
    ...{ opaqueCommands: config.opaque_commands, freedom: { temporary: 'deny', ignored: 'deny' } },
  })
})

test.each([
  ['', null, 'anyone'],
  ['handover: { gates: person }', null, 'person'],
  ['', 'handover: { gates: person }', 'person'],
  ['handover: { gates: person }', '', 'person'],
])('the gates of a worktree with %j and a HEAD with %j are for %s', (worktree, head, gates) => {
  expect(handoverGatesOf(configOf(worktree), [null, head])).toBe(gates)
})

test('a commit without a registry has no policy, and one with a damaged registry has no intents', () => {
  expect(policyFromTexts([null, null])).toBeNull()
  expect(policyFromTexts(['active_intents: {'])).toMatchObject({ intents: [], forbidden: [] })
})
