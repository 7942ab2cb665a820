import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FactSource, type Gatherer, gatherSync } from '../../../src/core/git/gatherer.ts'
import { intentsOwning, openIntents, type StagedFacts, sortChanges } from '../../../src/core/rules/commit-facts.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { type IntentSources, type Resolution, resolveIntents } from '../../../src/core/rules/resolve-intents.ts'
import { calmFacts, changesOf } from './commit-world.ts'

/** What each source says, as plain values. */
type Evidence = {
  readonly cited?: readonly string[]
  readonly source?: readonly string[]
  readonly written?: Readonly<Record<string, readonly string[]>>
  readonly live?: readonly string[]
  readonly byAgent?: boolean
  readonly branch?: readonly string[]
}

const NOTHING_TO_ASK = { exists: () => false } as unknown as FactSource

function sourcesOf({ cited = [], source = [], written = {}, live = [], byAgent = false, branch = [] }: Evidence) {
  const asked: string[] = []
  const answer = <T>(name: string, value: T) =>
    function* (): Gatherer<T> {
      yield { exists: name }
      asked.push(name)
      return value
    }
  const sources: IntentSources = {
    ...{ cited, live, byAgent },
    source: answer('source', source),
    written: answer('written', new Map(Object.entries(written))),
    branch: answer('branch', branch),
  }
  return { sources, asked }
}

function resolve(staged: StagedFacts, evidence: Evidence): Resolution & { asked: string[] } {
  const { sources, asked } = sourcesOf(evidence)
  return { ...gatherSync(NOTHING_TO_ASK, resolveIntents({ staged, sorted: sortChanges(staged) }, sources)), asked }
}

const intent = (id: string, owned_scope: string[], status = 'PENDING' as const) => ({
  id,
  name: id,
  status,
  owned_scope,
})
// `src` and `both` have one more owner each; nobody owns `lib`.
const policy: StagedFacts['policy'] = {
  intents: [
    intent('INT-1', ['src/**', 'both/**']),
    intent('INT-2', ['docs/**', 'both/**']),
    intent('INT-3', ['next/**']),
    { ...intent('INT-4', ['**']), status: 'COMPLETED' },
    intent('INT-5', ['src/**']),
    intent('INT-6', []),
  ],
  governance: ['.orchestration/**'],
  forbidden: [],
  intentignore: [],
  rides: ['*.lock'],
}
const facts = (...paths: string[]): StagedFacts => ({ ...calmFacts, policy, changes: changesOf(paths) })

describe('a commit is for', () => {
  test.each<[string, string[], Evidence, string]>([
    ['what its message cites, whoever owns it', ['src/a'], { cited: ['INT-9'], live: ['INT-1'] }, 'message INT-9'],
    ['the commit that it amends', ['src/a'], { source: ['INT-1'], written: { 'src/a': ['INT-5'] } }, 'source INT-1'],
    ['that and the owner of what is new', ['src/a', 'docs/b'], { source: ['INT-1'] }, 'only-owner INT-1 INT-2'],
    ['a closed one is none', ['src/a'], { source: ['INT-4'], live: ['INT-1'] }, 'session INT-1'],
    [
      'what its lines were written for',
      ['src/a'],
      { written: { 'src/a': ['INT-5'] }, live: ['INT-1'] },
      'ledger INT-5',
    ],
    [
      'all that its lines were written for',
      ['src/a', 'docs/b'],
      { written: { 'src/a': ['INT-1', 'INT-5'], 'docs/b': ['INT-2'] } },
      'ledger INT-1 INT-2 INT-5',
    ],
    ['and what is in their scopes', ['src/a', 'src/b'], { written: { 'src/a': ['INT-5'] } }, 'ledger INT-5'],
    [
      'not an intent that wrote outside of its scope',
      ['docs/b'],
      { written: { 'docs/b': ['INT-1'] } },
      'only-owner INT-2',
    ],
    ['the live session that owns it', ['src/a'], { live: ['INT-5', 'INT-2'], branch: ['INT-1'] }, 'session INT-5'],
    ['those that share it out', ['src/a', 'docs/b'], { live: ['INT-1', 'INT-2'] }, 'session INT-1 INT-2'],
    [
      'of two that own it, that of the branch',
      ['src/a'],
      { live: ['INT-1', 'INT-5'], branch: ['INT-5'] },
      'branch INT-5',
    ],
    ['the one started on the branch', ['both/a'], { branch: ['INT-2', 'INT-1'] }, 'branch INT-2'],
    ['else the one that it cites last', ['src/a'], { branch: ['INT-2', 'INT-1'] }, 'branch INT-1'],
    ['the only open owner', ['next/a'], { live: ['INT-1'] }, 'only-owner INT-3'],
    ['nothing where two own it', ['src/a'], {}, 'null'],
    ['nothing where nobody does', ['lib/a'], { live: ['INT-1'], branch: ['INT-1'] }, 'null'],
    ['nothing where two share it out', ['next/a', 'docs/b'], {}, 'null'],
    ['the owner of what a lock file rides with', ['docs/b', 'a.lock'], {}, 'only-owner INT-2'],
    ['two, with what rides', ['src/a', 'docs/b', 'a.lock'], { live: ['INT-1', 'INT-2'] }, 'session INT-1 INT-2'],
    ['the branch, of what rides alone', ['a.lock'], { branch: ['INT-3'] }, 'branch INT-3'],
    ['the live session, of no path', [], { live: ['INT-3'] }, 'session INT-3'],
    ['no intent, of governance files', ['.orchestration/config.yaml'], { live: ['INT-1'], branch: ['INT-1'] }, 'null'],
  ])('%s', (_, paths, evidence, expected) => {
    const { by, intents } = resolve(facts(...paths), evidence)
    expect([by, ...intents].join(' ') || 'null').toBe(expected === 'null' ? 'null' : expected)
  })

  test('its own intent alone, when an agent makes it (solo A16)', () => {
    const evidence = { live: ['INT-1'], byAgent: true, written: { 'docs/b': ['INT-2'] }, branch: ['INT-2'] }
    expect(resolve(facts('docs/b'), evidence)).toMatchObject({ by: null })
    expect(resolve(facts('src/a'), evidence)).toEqual({ by: 'session', intents: ['INT-1'], asked: ['source'] })
  })

  describe('where a standing intent owns README.md', () => {
    const chore = { ...intent('CHORE-1', ['README.md', 'src/a']), chores: { files: 1, lines: 10 } }
    const world = (lines: number, ...paths: string[]): StagedFacts => ({
      ...facts(...paths),
      policy: { ...policy, intents: [...policy.intents, chore] },
      chores: { lines: new Map([['README.md', lines]]), byAgents: [] },
    })
    test.each<[string, StagedFacts, Evidence, string]>([
      ['a small change of it', world(10, 'README.md'), { live: ['INT-1'], branch: ['INT-1'] }, 'standing CHORE-1'],
      ['a larger one', world(11, 'README.md'), {}, ''],
      ['one of an agent', world(1, 'README.md'), { live: ['INT-1'], byAgent: true }, ''],
      ['one beside the work', world(1, 'README.md', 'next/a'), {}, 'only-owner INT-3 CHORE-1'],
      ['one beside work of which nobody knows', world(1, 'README.md', 'lib/a'), {}, ''],
      ['what an intent for work owns too', world(1, 'src/a'), { branch: ['INT-1'] }, 'branch INT-1'],
      ['what two of those own too', world(1, 'src/a'), {}, ''],
      ['what rides alone, on a branch for work', world(1, 'a.lock'), { branch: ['INT-3'] }, 'standing CHORE-1'],
      ['what rides alone, in a session', world(1, 'a.lock'), { live: ['INT-3'] }, 'session INT-3'],
      ['what rides, written for work', world(1, 'a.lock'), { written: { 'a.lock': ['INT-3'] } }, 'ledger INT-3'],
      ['no path', world(1), { branch: ['INT-3'] }, 'branch INT-3'],
      ['what the branch cites last', world(1, 'README.md'), { branch: ['CHORE-1'] }, 'standing CHORE-1'],
    ])('%s', (_, staged, evidence, expected) => {
      const { by, intents } = resolve({ ...staged, byAgent: evidence.byAgent ?? false }, evidence)
      expect([by, ...intents].join(' ').trim()).toBe(expected)
    })
  })

  test('the intents of the commits that it takes back, closed ones too', () => {
    const inherited = [{ intents: ['INT-4'], changes: changesOf(['src/a']), parent: null }]
    expect(resolve({ ...facts('src/a'), inherited }, { live: ['INT-1'] })).toMatchObject({ intents: ['INT-4'] })
    expect(resolve({ ...facts('src/b'), inherited }, { live: ['INT-1'] })).toMatchObject({ intents: ['INT-1'] })
  })
})

test('no source is asked that is not needed', () => {
  expect(resolve(facts('src/a'), { cited: ['INT-1'] }).asked).toEqual([])
  expect(resolve(facts('src/a'), { source: ['INT-1'] }).asked).toEqual(['source'])
  expect(resolve(facts('src/a'), { live: ['INT-1'] }).asked).toEqual(['source', 'written'])
  expect(resolve(facts('src/a'), {}).asked).toEqual(['source', 'written', 'branch'])
})

const FOLDERS = ['a', 'b', 'c', 'd']
const anyPath = fc.constantFrom(...FOLDERS.flatMap(it => [`${it}/1`, `${it}/2`]))
const IDS = ['INT-1', 'INT-2', 'INT-3', 'INT-4', 'INT-9']
const anyIds = fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 3 })
const anyIntents = fc.tuple(
  ...IDS.slice(0, 4).map(id =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(id),
      status: fc.constantFrom('PENDING' as const, 'PENDING' as const, 'COMPLETED' as const, 'BLOCKED' as const),
      owned_scope: fc.subarray(FOLDERS.map(it => `${it}/**`)),
      ...(id === 'INT-4' ? { chores: fc.constant({ files: 2, lines: 10 }) } : {}),
    }),
  ),
)
const anyChores = fc.option(
  fc.record({
    lines: fc.dictionary(anyPath, fc.integer({ min: 1, max: 8 })).map(it => new Map(Object.entries(it))),
    byAgents: fc.uniqueArray(anyPath, { maxLength: 1 }),
  }),
  { nil: undefined },
)
const anyEvidence = fc.record({
  source: anyIds,
  written: fc.dictionary(anyPath, anyIds),
  live: anyIds,
  byAgent: fc.boolean(),
  branch: anyIds,
})

test('whatever is known, the intents own every staged path and are open, or the commit is refused', () => {
  const paths = fc.uniqueArray(anyPath, { minLength: 1, maxLength: 4 })
  const property = fc.property(anyIntents, paths, anyEvidence, anyChores, (intents, staged, evidence, chores) => {
    const { byAgent, live } = evidence
    const world = { ...facts(...staged), byAgent, live, ...(chores && { chores }), policy: { ...policy, intents } }
    const { by, intents: found } = resolve(world, evidence)
    const sorted = sortChanges(world)
    const chosen = openIntents(world.policy).filter(it => found.includes(it.id))
    const findings = judgeCommit({ ...calmFacts, ...world, cited: found })
    if (by === null) expect(findings.map(it => it.level)).toContain('block')
    else {
      expect(chosen.map(it => it.id)).toEqual(found.toSorted())
      for (const path of sorted.work) expect(intentsOwning(path, chosen, sorted.judge)).not.toEqual([])
      expect(findings.filter(it => it.level === 'block')).toEqual([])
    }
  })
  fc.assert(property, { numRuns: 2_000, seed: 7 })
})
