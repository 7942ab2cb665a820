import { expect, test } from 'vitest'
import { GOVERNANCE_GLOBS, readConfig } from '../../../src/core/intents/config.ts'
import type { CommitFacts } from '../../../src/core/rules/commit-facts.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { calmFacts, changesOf } from './commit-world.ts'

const NESTED = 'src/x/.claude/settings.json'

function rulesOf(facts: Partial<CommitFacts>): string[] {
  return judgeCommit({ ...calmFacts, ...facts }).map(it => `${it.rule} ${it.path ?? '-'}`)
}

test.each<[promise: string, paths: string[], facts: Partial<CommitFacts>, found: string[]]>([
  ['a person may have them in a commit for the intent that owns them', [NESTED, 'src/a.ts'], {}, []],
  ['a person, for no other intent', ['lib/AGENTS.md'], {}, ['in-scope lib/AGENTS.md']],
  ['a person, in a governance commit', [NESTED, 'lib/AGENTS.md'], { cited: [], governance: 'why' }, []],
  ['an agent may not commit them', [NESTED, 'src/a.ts'], { byAgent: true }, [`governance-by-agent ${NESTED}`]],
  [
    'an agent may not, in letters of another case',
    ['src/x/Agents.MD'],
    { byAgent: true },
    ['governance-by-agent src/x/Agents.MD'],
  ],
  [
    'nobody may where an agent wrote lines of them',
    [NESTED, 'src/AGENTS.md'],
    { governanceByAgents: [NESTED] },
    [`governance-by-agent ${NESTED}`],
  ],
  [
    'nor in a governance commit',
    [NESTED],
    { cited: [], governance: 'why', governanceByAgents: [NESTED] },
    [`governance-by-agent ${NESTED}`],
  ],
  ['but after an approval', [NESTED], { governanceByAgents: [NESTED], approved: true }, []],
])('settings of tools in a folder: %s', (_, paths, facts, found) => {
  expect(rulesOf({ changes: changesOf(paths), ...facts })).toEqual(found)
})

test('a list of nothing but exceptions is the default list with them', () => {
  expect(readConfig("governance: ['!test/**']").config.governance).toEqual([...GOVERNANCE_GLOBS, '!test/**'])
  expect(readConfig("governance: ['x', '!test/**']").config.governance).toEqual(['x', '!test/**'])
  expect(readConfig('governance: []').config.governance).toEqual([])
})
