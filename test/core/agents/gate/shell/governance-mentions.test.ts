import { expect, test } from 'vitest'
import { governanceMentions } from '../../../../../src/core/agents/gate/shell/governance-mentions.ts'

test.each([
  ['node dist/main.cjs agent-hook claude', true],
  ["run(['npx', 'kotef', 'session', 'end', '--all'])", true],
  ["run(['kotef', 'intent', 'start', 'INT-002'])", true],
  ['kotef approve', true],
  ["run('kotef mine README.md')", true],
  ['kotef attest INT-001', true],
  ['git commit --no-verify', true],
  ['see the intent and start with INT-002', false],
  ['kotef status', false],
  ['end the session', false],
])('%s mentions governance: %s', (text, mentions) => {
  expect(governanceMentions(text).length > 0).toBe(mentions)
})
