import { expect, test } from 'vitest'
import { lastModelIn } from '../../../src/core/agents/claude.ts'

test.each([
  ['the last one that speaks', ['claude-a', 'claude-b'], 'anthropic/claude-b'],
  ['not what Claude Code put there itself', ['claude-a', '<synthetic>'], 'anthropic/claude-a'],
  ['none', [], null],
])('of the models in a conversation, %s', (_, models, model) => {
  const lines = models.map(it => JSON.stringify({ type: 'assistant', message: { model: it, content: [] } }))
  const others = ['{"type":"user","message":{"content":"\\"model\\":\\"x\\""}}', '{"cut off', '']
  expect(lastModelIn(['off"}', ...lines, ...others].join('\n'))).toBe(model)
})
