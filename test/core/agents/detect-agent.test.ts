import { expect, test } from 'vitest'
import { agentVariable } from '../../../src/agents/detect-agent.ts'

test.each(['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT', 'COPILOT_CLI', 'OPENCODE', 'CLINE_ACTIVE'])(
  '%s says that an agent runs this',
  name => {
    expect(agentVariable({ PATH: '/bin', [name]: '1' })).toBe(name)
    expect(agentVariable({ [name]: '' })).toBeNull()
  },
)

test('where no agent says so there is no sign', () => {
  expect(agentVariable({ PATH: '/bin', AGENT: 'x', CI: 'true' })).toBeNull()
})
