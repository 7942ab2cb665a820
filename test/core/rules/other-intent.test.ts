import { expect, test } from 'vitest'
import { type CommitFacts, sortChanges } from '../../../src/core/rules/commit-facts.ts'
import { agentsCiteTheirIntent } from '../../../src/core/rules/other-intent.ts'
import { calmFacts, changesOf } from './commit-world.ts'

const cites2 = { cited: ['INT-002'] }
const wroteFor = (...ids: string[]) => ({ live: [], agentsIntents: new Map([['docs/b', ids]]) })

test.each<[string, Partial<CommitFacts>, string[]]>([
  ['by a person', cites2, []],
  ['by an agent', { ...cites2, byAgent: true }, ['block other-intent -']],
  [
    'by an agent, that cites its own as well',
    { cited: ['INT-001', 'INT-002'], byAgent: true },
    ['block other-intent -'],
  ],
  ['by an agent whose session is over', { ...cites2, byAgent: true, live: [] }, []],
  [
    'by an agent, of a claimed intent, which is refused',
    { ...cites2, byAgent: true, claimedByOthers: ['INT-002'] },
    [],
  ],
  ['of what no agent wrote', { ...cites2, ...wroteFor() }, []],
  ['of what an agent wrote for another one', { ...cites2, ...wroteFor('INT-001') }, ['block other-intent docs/b']],
  ['of what an agent wrote for this one', { ...cites2, ...wroteFor('INT-002') }, []],
  ['of what an agent wrote for both', { ...cites2, ...wroteFor('INT-001', 'INT-002') }, []],
  ['of nothing', { cited: [], ...wroteFor('INT-001') }, []],
])('a commit %s', (_, more, found) => {
  const facts = { ...calmFacts, changes: changesOf(['docs/b']), ...more }
  const findings = agentsCiteTheirIntent(facts, sortChanges(facts))
  expect(findings.map(it => `${it.level} ${it.rule} ${it.path ?? '-'}`)).toEqual(found)
})
