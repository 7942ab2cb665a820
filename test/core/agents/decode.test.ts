import { expect, test } from 'vitest'
import { decodePayload } from '../../../src/core/agents/decode.ts'

test.each([
  ['claude', '{"session_id":', 'It is not a JSON object.'],
  ['claude', '[]', 'It is not a JSON object.'],
  ['claude', 'null', 'It is not a JSON object.'],
  ['claude', '{}', 'It has no session_id.'],
  ['claude', '{"session_id":7}', 'It has no session_id.'],
  ['claude', '{"session_id":"s"}', 'It has no hook_event_name.'],
  ['generic', '{"event":"write"}', 'It has no session.'],
  ['generic', '{"session":"s","event":"write"}', 'It has no path.'],
  ['generic', '{"session":"s","event":"write","path":"a\\u0000b"}', 'It has no path.'],
  ['generic', '{"session":"s","event":"toString"}', 'Its event is not one that kotef knows.'],
  [
    'nobody',
    '{}',
    'kotef knows no agent of that name, only claude, codex, gemini, copilot, cursor, opencode, cline, generic.',
  ],
])('for %s, %s is a problem', (agent, text, problem) => {
  expect(decodePayload(agent, text)).toEqual({ problem })
})
