import { expect, test } from 'vitest'
import { signOfAgent } from '../../../src/agents/inside.ts'

test.each(['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT', 'COPILOT_CLI', 'OPENCODE', 'CLINE_ACTIVE'])(
  '%s says that an agent runs this',
  name => {
    expect(signOfAgent({ PATH: '/bin', [name]: '1' })).toBe(name)
    expect(signOfAgent({ [name]: '' })).toBeNull()
  },
)

test('where no agent says so there is no sign', () => {
  expect(signOfAgent({ PATH: '/bin', AGENT: 'x', CI: 'true' })).toBeNull()
})
