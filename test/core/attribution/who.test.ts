import { expect, test } from 'vitest'
import { whoWrote } from '../../../src/attribution/who.ts'
import type { Session } from '../../../src/intents/session.ts'

const person: Session = {
  id: 'p',
  kind: 'person',
  agent: null,
  model: null,
  intent: 'INT-1',
  declared: false,
  claimedAt: '2026-01-01T00:00:00Z',
  heartbeatAt: '2026-01-01T00:00:00Z',
  pid: null,
  host: 'rig',
  baseCommit: null,
  endedAt: null,
}
const declared: Session = { ...person, id: 'd', kind: 'agent', agent: 'aider', intent: 'INT-2', declared: true }
const hooked: Session = { ...declared, id: 'h', declared: false, model: 'anthropic/claude' }
const everything = () => true
const nothing = () => false

test.each([
  ['nobody is there', [], everything, [null, null, 'unknown', 'unknown']],
  ['a person, in scope', [person], everything, ['p', 'INT-1', 'human', 'person']],
  ['a person, outside the scope', [person], nothing, ['p', null, 'human', 'person']],
  ['a declared agent, in scope', [declared], everything, ['d', 'INT-2', 'ai', 'declared']],
  ['a declared agent, outside its scope', [declared], nothing, [null, null, 'unknown', 'unknown']],
  ['an agent with hooks that did not claim it', [hooked], everything, [null, 'INT-2', 'unknown', 'unknown']],
  ['a person and a declared agent, both in scope', [person, declared], everything, ['d', null, 'ai', 'declared']],
  ['only the agent owns it', [person, declared], (id: string) => id === 'INT-2', ['d', 'INT-2', 'ai', 'declared']],
  ['only the person owns it', [person, declared], (id: string) => id === 'INT-1', ['p', 'INT-1', 'human', 'person']],
])('%s', (_, sessions, owns, [session, intent, type, attribution]) => {
  const author = whoWrote(sessions, owns)
  expect([author.session?.id ?? null, author.intent, author.contributor.type, author.attribution]).toEqual([
    session,
    intent,
    type,
    attribution,
  ])
})

test('a model is named when it is known', () => {
  expect(whoWrote([{ ...declared, model: 'openai/gpt' }], everything).contributor).toEqual({
    type: 'ai',
    model_id: 'openai/gpt',
  })
})
