import { expect, test } from 'vitest'
import { constraintsOfFile, constraintsOfIntent } from '../../../src/core/intents/contract/enforced-constraints.ts'
import { grantedIntents, grantedPolicy } from '../../../src/core/intents/scope/grants.ts'
import { judgePath } from '../../../src/core/intents/scope/judge-path.ts'
import { effectivePolicy, type Policy, type PolicyIntent } from '../../../src/core/intents/scope/policy.ts'
import { constrainedGlobs, scopeAttributes } from '../../../src/core/intents/scope/attributes.ts'
import type { CommitFacts } from '../../../src/core/rules/commit-facts.ts'
import { widenHint } from '../../../src/core/rules/widen-scope.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { judgeEdit } from '../../../src/core/rules/judge-edit.ts'
import { judgeStaged } from '../../../src/core/rules/judge-staged.ts'
import { manifestsToRead } from '../../../src/core/rules/new-dependencies.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

const LINES = ['DO NOT touch `src/secret/**`, `infra/` or `a.lock`', 'DO NOT add new dependencies']
const held: PolicyIntent = {
  ...{ id: 'INT-001', name: 'pay', status: 'IN_PROGRESS', owned_scope: ['src/**', 'package.json', 'sub/package.json'] },
  constraints: constraintsOfIntent('INT-001', LINES),
}
const free: PolicyIntent = {
  id: 'INT-002',
  name: 'keys',
  status: 'IN_PROGRESS',
  owned_scope: ['src/secret/**', 'sub/**'],
}
const bound: Policy = {
  ...policy,
  intents: [held, free],
  rides: ['*.lock'],
  constraints: constraintsOfFile('.sdd/KOTEF.md', 'Never edit anything under `core/`\n'),
}
const SAYS = 'INT-001 says: DO NOT touch `src/secret/**`, `infra/` or `a.lock`'
const judged = (paths: readonly string[], more: Partial<CommitFacts> = {}) =>
  judgeCommit({ ...calmFacts, policy: bound, changes: changesOf(paths), ...more }).map(it => `${it.rule} ${it.path}`)

test.each([
  ['src/secret/k', held, 'constraint'],
  ['src/Secret/K', held, 'constraint'],
  ['src/secret/k', free, 'owned'],
  ['src/a', held, 'owned'],
  ['infra', held, 'constraint'],
  ['a.lock', held, 'constraint'],
  ['b.lock', held, 'owned'],
  ['core/x', free, 'constraint'],
])('%s is judged by the constraints of the intent', (path, intent, kind) => {
  expect(judgePath(bound)(intent, path).kind).toBe(kind)
})

test.each<[string, readonly string[], Partial<CommitFacts>, string[]]>([
  ['in the scope', ['src/secret/k'], {}, ['constraint-path src/secret/k']],
  ['outside of it', ['infra/k'], {}, ['constraint-path infra/k']],
  ['that rides with any work', ['a.lock', 'src/a', 'b.lock'], {}, ['constraint-path a.lock']],
  ['that another cited intent owns', ['src/secret/k'], { cited: ['INT-001', 'INT-002'] }, []],
  ['of another intent', ['src/secret/k'], { cited: ['INT-002'] }, []],
  ['closed by KOTEF.md', ['core/x'], { cited: ['INT-002'] }, ['constraint-path core/x']],
  [
    'closed by KOTEF.md in a governance commit',
    ['core/x'],
    { cited: [], governance: 'why' },
    ['governance-alone core/x'],
  ],
])('a commit of a path %s', (_, paths, more, expected) => {
  expect(judged(paths, more)).toEqual(expected)
})

test('a refusal has the words of the constraint, and no hint to widen the scope', () => {
  const facts = { ...calmFacts, policy: bound, changes: changesOf(['infra/k']) }
  const edit = judgeEdit('infra/k', { policy: bound, live: ['INT-001'], byPersons: true })
  for (const finding of [...judgeCommit(facts), ...judgeStaged(facts), edit]) {
    expect(finding).toMatchObject({ rule: 'constraint-path', message: `infra/k may not be changed: ${SAYS}` })
    expect(finding?.hint).toBe('Unstage it: `git restore --staged infra/k`. Only a person changes the constraint.')
  }
})

test('the scope of no intent is to be widened by a path that its constraints close', () => {
  expect(widenHint('infra/k', ['INT-001'], bound)).toContain('kotef intent add')
  expect(widenHint('infra/k', [], bound)).toContain('kotef intent edit INT-002')
  expect(widenHint('lib/k', ['INT-001'], bound)).toContain('kotef intent edit INT-001')
  expect(widenHint('lib/k', ['INT-009'], bound)).toContain('kotef intent edit INT-009')
})

const added = (path: string) => ({ newDependencies: new Map([[path, ['left-pad', 'b']]]) })
test.each<[string, string, Partial<CommitFacts>, string[]]>([
  ['the intent wants none', 'package.json', {}, ['constraint-dependency package.json']],
  ['another cited intent owns the manifest', 'sub/package.json', { cited: ['INT-001', 'INT-002'] }, []],
  ['the cited intent has no such constraint', 'sub/package.json', { cited: ['INT-002'] }, []],
])('a new dependency where %s', (_, path, more, expected) => {
  expect(judged([path], { ...added(path), ...more })).toEqual(expected)
  expect(manifestsToRead({ ...calmFacts, changes: changesOf([path]), ...more }, [bound, null])).toHaveLength(
    expected.length,
  )
})

test('the finding of a new dependency names it and the constraint; one of KOTEF.md holds for every intent', () => {
  const facts = { ...calmFacts, policy: bound, changes: changesOf(['package.json']), ...added('package.json') }
  expect(judgeCommit(facts)[0]?.message).toBe(
    'package.json adds the dependency left-pad and 1 more: INT-001 says: DO NOT add new dependencies',
  )
  const constraints = constraintsOfFile('.sdd/KOTEF.md', 'Never add dependencies\n')
  const project = { ...bound, constraints }
  expect(judged(['sub/package.json'], { ...added('sub/package.json'), policy: project, cited: ['INT-002'] })).toEqual([
    'constraint-dependency sub/package.json',
  ])
})

test('what a revert gives back to a manifest is not new', () => {
  const changes = changesOf(['package.json'])
  const taken = changes.map(it => ({ ...it, before: it.after, after: it.before }))
  const inherited = [{ intents: ['INT-001'], changes: taken, parent: null }]
  const read = (more: object) => manifestsToRead({ ...calmFacts, changes, ...more }, [bound])
  expect([read({}), read({ inherited })].map(it => it.length)).toEqual([1, 0])
})

test('no manifest is read where no constraint is about dependencies', () => {
  expect(manifestsToRead({ ...calmFacts, changes: changesOf(['package.json', 'src/a']) }, [policy, null])).toEqual([])
})

test('a constraint counts until its removal is committed, and from the moment it is added', () => {
  const without = { ...bound, intents: [{ ...held, constraints: [] }, free], constraints: [] }
  const kinds = (tree: Policy, head: Policy) => {
    const effective = effectivePolicy(tree, head)
    const judge = judgePath(effective)
    return [judge(effective.intents[0] ?? [], 'src/secret/k').kind, judge([], 'core/x').kind]
  }
  expect(kinds(without, bound)).toEqual(['constraint', 'constraint'])
  expect(kinds(bound, without)).toEqual(['constraint', 'constraint'])
  expect(kinds(without, without)).toEqual(['owned', 'outside'])
})

test('a wider scope that is granted takes no constraint away', () => {
  const origin = { ...bound, intents: [held] }
  const without: Policy = { ...bound, intents: [{ ...held, owned_scope: ['**'], constraints: [] }] }
  const [granted] = grantedPolicy(origin, grantedIntents(origin, without)).intents
  expect(granted).toMatchObject({ constraints: held.constraints })
  expect(granted?.owned_scope).toContain('**')
})

test('the fast path leaves to Node what a constraint closes, and the manifests that it is about', () => {
  const bounds = scopeAttributes(constrainedGlobs(held), { ...bound, intentignore: [] })?.bounds ?? []
  expect(bounds).toEqual(expect.arrayContaining(['src/secret/**', '**/package.json', '**/composer.json']))
  const project = { ...bound, intentignore: [], constraints: constraintsOfFile('K', 'DO NOT touch `src/x/**`\n') }
  expect(scopeAttributes(['src/**'], project)?.bounds).toContain('src/x/**')
})
