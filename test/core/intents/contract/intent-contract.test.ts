import { expect, test } from 'vitest'
import { buildIntentContract } from '../../../../src/core/intents/contract/intent-contract.ts'
import type { Intent } from '../../../../src/core/intents/intent.ts'

const INTENT: Intent = {
  ...{ id: 'INT-001', name: 'Login', description: 'People log in', status: 'PENDING', owned_scope: ['src/**'] },
  ...{
    constraints: ['DO NOT edit `src/legacy/**`', 'Keep it small'],
    appetite: 'Small',
    non_goals: ['single sign-on'],
  },
  ...{ acceptance_criteria: [{ cmd: 'npm test' }, 'A person has logged in'], related_specs: [], depends_on: [] },
  ...{ created_at: null, updated_at: null },
}
const TICKET = `# Ticket: 01 Log in with a password

Never log a password.
DO NOT touch \`lib/**\`

## Definition of Done

- [ ] \`npm run e2e\` passes
- [x] The form looks right
- not a task

## Non-Goals

- **Non-goal:** two factors
`
const POLICY = `# Project policy

## Constraints
- DO NOT add dependencies
- Prefer small diffs

## Forbidden Paths
- \`vendor/**\`
`
const REGISTRY = '.orchestration/active_intents.yaml'
const contract = buildIntentContract({
  intent: INTENT,
  registry: REGISTRY,
  ticket: { file: 'docs/01.md', text: TICKET },
  policy: { file: '.sdd/KOTEF.md', text: POLICY },
})

test('the goal, the id of the ticket and the appetite', () => {
  expect(contract).toMatchObject({
    goal: 'Log in with a password',
    ticketId: '01',
    appetite: 'Small',
    intent: 'INT-001',
  })
  const alone = buildIntentContract({ intent: INTENT, registry: REGISTRY, ticket: null, policy: null })
  expect(alone).toMatchObject({ goal: 'Login: People log in', ticketId: null, forbiddenPaths: [] })
})

test('constraints of all three, with their sources; what is checked is a rule, and nothing of a ticket is', () => {
  expect(contract.constraints).toEqual([
    {
      text: 'DO NOT edit `src/legacy/**`',
      source: { file: REGISTRY, line: null },
      rule: { kind: 'paths', globs: ['src/legacy/**'] },
    },
    { text: 'Keep it small', source: { file: REGISTRY, line: null }, rule: null },
    { text: 'Never log a password.', source: { file: 'docs/01.md', line: 3 }, rule: null },
    { text: 'DO NOT touch `lib/**`', source: { file: 'docs/01.md', line: 4 }, rule: null },
    {
      text: 'DO NOT add dependencies',
      source: { file: '.sdd/KOTEF.md', line: 4 },
      rule: { kind: 'no-new-dependencies' },
    },
  ])
})

test('the definition of done: commands of the registry are run, and the rest is for a person', () => {
  expect(contract.dodChecks.map(it => [it.text, it.command, it.isRun])).toEqual([
    ['npm test', 'npm test', true],
    ['A person has logged in', null, false],
    ['`npm run e2e` passes', 'npm run e2e', false],
    ['The form looks right', null, false],
  ])
})

test('non-goals and forbidden paths', () => {
  expect(contract.nonGoals.map(it => it.text)).toEqual(['single sign-on', 'Non-goal: two factors'])
  expect(contract.forbiddenPaths.map(it => it.text)).toEqual(['vendor/**'])
})
