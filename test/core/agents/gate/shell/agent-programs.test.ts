import { expect, test } from 'vitest'
import { agentEffects } from '../../../../../src/core/agents/gate/shell/agent-programs.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['claude --version', []],
  ['claude -p hi', null],
  ['claude -p "install a plugin with --settings"', null],
  ['claude plugin list', null],
  ['claude plugin install --help', null],
  ['claude plugin install m', ['switch the hooks of claude']],
  ['claude --settings={} -p hi', ['switch the hooks of claude']],
  ['claude mcp list', null],
  ['npx @anthropic-ai/claude-code@2 --bare', ['switch the hooks of claude']],
  ['npx vitest --settings x', null],
  ['codex -c model=x exec hi', null],
  ['codex -c model_reasoning_effort=high exec hi', null],
  ['codex -c features.hooks=false exec hi', ['switch the hooks of codex']],
  ['gemini extensions list', null],
  ['gemini --yolo', ['switch the hooks of gemini']],
  ['ls --settings', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(agentEffects(programOf(line), argsOf(line)))).toEqual(effects)
})
