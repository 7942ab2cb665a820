import { expect, test } from 'vitest'
import { authorOfWrite } from '../../../src/core/authorship/author.ts'
import type { ToolWindow } from '../../../src/core/authorship/tool-window.ts'
import type { Session } from '../../../src/core/intents/session.ts'

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
const WRITE = { path: 'a', at: 1 }
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
  const author = authorOfWrite({ sessions, windows: [] }, WRITE, owns)
  expect([author.session, author.intent, author.contributor.type, author.attribution]).toEqual([
    session,
    intent,
    type,
    attribution,
  ])
})

test('a model is named when it is known', () => {
  const sessions = [{ ...declared, model: 'openai/gpt' }]
  expect(authorOfWrite({ sessions, windows: [] }, WRITE, everything).contributor).toEqual({
    type: 'ai',
    model_id: 'openai/gpt',
  })
})

const exec: ToolWindow = {
  session: 'one',
  agent: 'claude',
  model: 'anthropic/claude',
  kind: 'exec',
  path: null,
  call: null,
  openedAt: 0,
  closedAt: null,
  host: 'rig',
}
const write: ToolWindow = { ...exec, kind: 'write', path: 'a' }
const other = { session: 'two', model: null }
const one: Session = { ...hooked, id: 'one', intent: 'INT-1' }
const two: Session = { ...hooked, id: 'two', intent: 'INT-2' }
const onlyTwo = (id: string) => id === 'INT-2'

test.each<
  [
    what: string,
    windows: readonly ToolWindow[],
    sessions: readonly Session[],
    owns: (id: string) => boolean,
    is: string,
  ]
>([
  ['an open write', [write], [], nothing, 'one claimed ai anthropic/claude null'],
  ['a write of another path', [{ ...write, path: 'b' }], [person], everything, 'p person human - INT-1'],
  ['a command', [exec], [], nothing, 'one window ai anthropic/claude null'],
  ['a command that began later', [{ ...exec, openedAt: 2 }], [person], everything, 'p person human - INT-1'],
  [
    'a write while another session runs a command',
    [{ ...exec, ...other }, write],
    [],
    nothing,
    'one claimed ai anthropic/claude null',
  ],
  ['two commands of one session', [exec, exec], [], nothing, 'one window ai anthropic/claude null'],
  [
    'two sessions, and nobody to tell them apart',
    [exec, { ...exec, ...other }],
    [person],
    everything,
    'null unknown unknown - INT-1',
  ],
  ['two sessions, one of which owns it', [exec, { ...exec, ...other }], [one, two], onlyTwo, 'two window ai - INT-2'],
  [
    'two sessions that both own it',
    [exec, { ...exec, ...other }],
    [one, two],
    everything,
    'null unknown unknown - null',
  ],
  ['two sessions that write it', [write, { ...write, ...other }], [one, two], onlyTwo, 'two claimed ai - INT-2'],
  ['an agent in place of the person', [exec], [person], everything, 'one window ai anthropic/claude INT-1'],
  ['an agent outside of every scope', [exec], [person], nothing, 'one window ai anthropic/claude null'],
  ['an agent that is bound to an intent', [exec], [one, person], nothing, 'one window ai anthropic/claude INT-1'],
  ['an agent beside a declared one', [write], [declared], everything, 'one claimed ai anthropic/claude INT-2'],
])('%s', (_, windows, sessions, owns, is) => {
  const { session, attribution, contributor, intent } = authorOfWrite({ sessions, windows }, WRITE, owns)
  expect([session, attribution, contributor.type, contributor.model_id ?? '-', intent].map(String).join(' ')).toBe(is)
})

test.each<[what: string, windows: readonly ToolWindow[], doubt: string | undefined]>([
  ['a person, while one session runs commands', [exec, { ...exec, call: '2' }], 'person'],
  ['another agent, whose command runs too', [exec, { ...exec, ...other }], 'agent'],
  ['nobody, when the agent said what it writes', [exec, write], undefined],
  ['nobody, when no command runs', [], undefined],
])('it may have been %s', (_, windows, doubt) => {
  expect(authorOfWrite({ sessions: [one, two], windows }, WRITE, onlyTwo).doubt).toBe(doubt)
})
