import { expect, test } from 'vitest'
import { governanceChanges } from '../../../src/core/rules/governance-changes.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const intent = (more = '') => `  - { id: A-1, name: n, status: IN_PROGRESS, owned_scope: [a, "!a/b"]${more} }\n`
const registry = (...intents: string[]) => `active_intents:\n${intents.join('') || '  []\n'}`
const WORDS = { adds: 'new', widens: 'wider', loosens: 'looser', leaves: 'gone', none: 'fine' }
const reported = (path: string, before: string | null, after: string | null) =>
  governanceChanges({ path, before, after }).map(it => `${WORDS[it.effect]}: ${it.description}`)

const OLD = registry(intent(', constraints: [c], acceptance_criteria: [d, { cmd: e }]'))
const DONE = registry(intent().replace('IN_PROGRESS', 'COMPLETED'))
const lists = ', constraints: [c], acceptance_criteria: [d, { cmd: e }]'

test.each<[string, string | null, string[]]>([
  ['an intent that is new', `${OLD}${intent().replace('A-1', 'B-2')}`, ['new: B-2 is new, with the scope a, !a/b']],
  ['an intent that is gone', registry(), ['fine: A-1 is gone']],
  ['a wider scope', OLD.replace('[a,', '[a, c,'), ['wider: A-1 may touch more: c']],
  ['an exception that is gone', OLD.replace(', "!a/b"', ''), ['wider: A-1 may touch more: !a/b']],
  ['a narrower scope', OLD.replace('[a, ', '['), ['fine: A-1 is changed']],
  ['a constraint that is gone', OLD.replace('[c]', '[]'), ['looser: A-1 has lost a constraint']],
  ['a check that is another', OLD.replace('cmd: e', 'cmd: g'), ['looser: A-1 has lost a criterion']],
  ['a check more', OLD.replace('[d,', '[d, f,'), ['fine: A-1 is changed']],
  ['words', OLD.replace('name: n', 'name: m'), ['fine: A-1 is changed']],
  ['a comment', `# c\n${OLD}`, ['fine: the registry is written in another way']],
  ['damage', 'active_intents: 7', ["looser: the registry can't be read any more"]],
  ['nothing', null, ['gone: the registry is gone: kotef leaves, and nothing after this commit is judged']],
])('in a registry: %s', (_, after, expected) => {
  expect(reported(REGISTRY, OLD, after)).toEqual(expected)
})

test('in a registry: an intent that is open again', () => {
  expect(reported(REGISTRY, DONE, registry(intent()))).toEqual(['looser: A-1 was COMPLETED, and is PENDING again'])
  const all = registry(intent(lists)).replace('[a, "!a/b"]', '["**"]')
  expect(reported(REGISTRY, all, all.replace('"**"', 'src/**'))).toEqual(['fine: A-1 is changed'])
  const src = all.replace('"**"', 'src/**')
  expect(reported(REGISTRY, src, all.replace('"**"', 'src/api/**'))).toEqual(['fine: A-1 is changed'])
  expect(reported(REGISTRY, src, all.replace('"**"', 'srcs/**'))).toEqual(['wider: A-1 may touch more: srcs/**'])
})

test.each<[string, string, string | null, string | null, string]>([
  ['a pattern more', '.intentignore', 'a\n', 'a\nb\n', 'fine'],
  ['a pattern less', '.intentignore', 'a\nb\n', 'a\n', 'looser'],
  ['an exception', '.intentignore', 'a\n', 'a\n!a/b\n', 'looser'],
  ['a comment less', '.intentignore', '# c\na\n', 'a\n', 'fine'],
  ['no patterns any more', '.intentignore', 'a\n', null, 'looser'],
  ['the first patterns', '.intentignore', null, 'a\n', 'fine'],
  ['agents may write less', '.orchestration/config.yaml', 'version: 1\n', 'agents: { ignored: deny }\n', 'fine'],
  ['agents may write more', '.orchestration/config.yaml', 'agents: { ignored: deny }\n', 'version: 1\n', 'looser'],
  ...[
    ['unset_clones: block', 'unset_clones: pass'],
    ['claims: deny', 'claims: allow'],
    ['opaque_commands: ask', 'opaque_commands: allow-and-watch'],
    ['verify: { governance: strict }', 'verify: {}'],
    ['verify: { lands: squash }', 'verify: { lands: merge }'],
    ['verify: { lands: merge }', 'verify: { lands: any }'],
    ['handover: { gates: person }', 'handover: { gates: anyone }'],
    ['public: [error-lines]', 'public: [error-lines, command-lines]'],
    ['public: []', 'public: [error-lines]'],
  ].flatMap(([strict = '', loose = '']): [string, string, string, string, string][] => [
    [`${strict} instead of ${loose}`, '.orchestration/config.yaml', `${loose}\n`, `${strict}\n`, 'fine'],
    [`${loose} instead of ${strict}`, '.orchestration/config.yaml', `${strict}\n`, `${loose}\n`, 'looser'],
  ]),
  ['a forbidden path less', '.sdd/KOTEF.md', '## Forbidden Paths\n- a\n- b\n', '## Forbidden Paths\n- a\n', 'looser'],
  ['a forbidden path more', '.sdd/KOTEF.md', '## Forbidden Paths\n- a\n', '## Forbidden Paths\n- a\n- b\n', 'fine'],
  ['a constraint less', '.sdd/KOTEF.md', '## Constraints\n- DO NOT\n', '## Constraints\n', 'looser'],
  ['a note', '.sdd/KOTEF.md', 'x\n', 'y\n', 'fine'],
  ['any hook', '.husky/pre-commit', 'a\n', 'b\n', 'looser'],
  ['a hook that is gone', '.husky/pre-commit', 'a\n', null, 'looser'],
])('elsewhere: %s', (_, path, before, after, expected) => {
  expect(reported(path, before, after).map(it => it.split(':')[0])).toEqual([expected])
})
