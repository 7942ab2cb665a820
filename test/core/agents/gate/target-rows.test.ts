import { expect, test } from 'vitest'
import { firstRow } from '../../../../src/core/base/first-row.ts'
import {
  judgeTarget,
  NOTHING_FREE,
  type TargetAuthority,
  type TargetFact,
} from '../../../../src/core/agents/gate/judge-target.ts'
import {
  ASKED_FACTS,
  type LocationFacts,
  TARGET_ROWS,
  type TargetLocation,
  type TargetRow,
} from '../../../../src/core/agents/gate/target-rows.ts'
import { judgePath } from '../../../../src/core/intents/scope/judge-path.ts'
import type { Policy } from '../../../../src/core/intents/scope/policy.ts'
import { type GateFacts, judgeWithFacts } from '../../../../src/core/agents/gate/judge-tool.ts'
import { callIn, factsFor, intent } from './gate-fixture.ts'

const policy: Policy = {
  intents: [intent],
  constraints: [
    { by: '.sdd/KOTEF.md', says: 'DO NOT touch `dist/x/**`', rule: { kind: 'paths', globs: ['dist/x/**'] } },
  ],
  governance: ['.claude/**'],
  forbidden: ['src/auth/keys/**'],
  intentignore: ['*.lock'],
}
const authority: TargetAuthority = {
  ...{ intent, judge: judgePath(policy), knownOids: new Map([['src/auth/old', 'x']]), role: null },
  ...{ freedom: { temporary: 'allow', ignored: 'allow' }, found: {} },
}
const inside = (path: string): TargetLocation => ({ kind: 'inside', path })
const outside = (path: string): TargetLocation => ({ kind: 'outside', path })
const target = (more: Partial<TargetFact>, ...locations: readonly TargetLocation[]): TargetFact => ({
  ...{ spelling: 'given', locations, currentOid: null },
  ...more,
})
const none = { isTemporary: new Set<never>(), isIgnored: new Set<never>(), isOwnNewFile: new Set<never>() }
const removes = { removes: true }
const [lib, dist] = [inside('lib/a'), inside('dist/a')]

type Case = readonly [
  what: string,
  target: TargetFact,
  known: Partial<TargetAuthority>,
  rows: readonly string[],
  needs: readonly string[],
]

test.each<Case>([
  ['what no system call finds', target({}, { kind: 'nowhere', why: 'ELOOP' }), {}, ['nowhere'], []],
  ['what is of git', target({}, { kind: 'git', path: '/w/.git/a' }), {}, ['git'], []],
  ['another worktree', target({}, { kind: 'worktree', path: '/v/a' }), {}, ['other-worktree'], []],
  ['a file elsewhere', target({}, outside('/tmp/a')), {}, ['outside'], ['isTemporary']],
  ['that is not temporary', target({}, outside('/x/a')), { found: none }, ['outside'], []],
  ['or may not be written', target({}, outside('/tmp/a')), NOTHING_FREE, ['outside'], []],
  ['or is of a plugin', target({}, outside('/tmp/hooks/hooks.json')), {}, ['outside'], []],
  ['a path in scope', target({}, inside('src/auth/a')), {}, ['owned'], []],
  ['that has changed', target({ currentOid: 'y' }, inside('src/auth/old')), {}, ['owned', 'stale'], []],
  ['a file of a handover', target({}, inside('.agents-work/s/a')), {}, ['handover'], []],
  ['one of no session', target({}, inside('.agents-work/a')), {}, ['not-owned'], []],
  ['a governance file', target({}, inside('.claude/a')), {}, ['governance'], []],
  ['a forbidden path', target({}, inside('src/auth/keys/a')), {}, ['forbidden'], []],
  ['one in .intentignore', target({}, inside('lib/a.lock')), {}, ['intentignore'], []],
  ['one that no scope can own', target({}, inside('lib/\ufffd')), {}, ['malformed'], []],
  [
    'one that a constraint closes',
    target({}, inside('dist/x/a')),
    { found: { isIgnored: new Set([lib]) } },
    ['constraint'],
    [],
  ],
  ['a path out of scope', target({}, lib), {}, ['not-owned'], ['isIgnored']],
  ['one that the scope excludes', target({}, inside('src/auth/legacy/a')), {}, ['not-owned'], ['isIgnored']],
  ['that is not ignored', target({}, lib), { found: none }, ['not-owned'], []],
  ['the ledger', target({}, inside('.orchestration/agent_trace.jsonl')), {}, ['not-owned'], []],
  ['the program', target({}, inside('node_modules/kotef-watch/a')), {}, ['not-owned'], []],
  ['a file that goes', target(removes, lib), { found: { isIgnored: new Set() } }, ['not-owned'], ['isOwnNewFile']],
  ['with config that frees nothing', target(removes, lib), NOTHING_FREE, ['not-owned'], ['isOwnNewFile']],
  ['a folder that goes', target({ ...removes, currentOidsBelow: new Map() }, lib), NOTHING_FREE, ['not-owned'], []],
  ['a link that goes', target(removes, lib, dist), NOTHING_FREE, ['not-owned', 'not-owned'], []],
  [
    'its other name is free',
    target(removes, lib, dist),
    { found: { isIgnored: new Set([dist]) } },
    ['not-owned', 'ignored'],
    ['isOwnNewFile'],
  ],
  ['what follows a refusal', target({}, inside('.claude/a'), lib), {}, ['governance', 'not-owned'], []],
  ['what precedes one', target({}, lib, inside('.claude/a')), {}, ['not-owned', 'governance'], ['isIgnored']],
])('%s', (_, given, known, rows, needs) => {
  const verdict = judgeTarget(given, { ...authority, ...known })
  expect(verdict.decided.map(it => it.row)).toEqual(rows)
  expect(verdict.needs.map(it => it.need)).toEqual(needs)
})

test.each([
  ['isTemporary', 'temporary', outside('/tmp/a')],
  ['isIgnored', 'ignored', dist],
  ['isOwnNewFile', 'own-new-file', lib],
] as const)('what is asked for and true is free, whatever the session knew of it: %s', (fact, row, location) => {
  const given = target(removes, location)
  const knownOids = new Map([['path' in location ? location.path : '', 'another']])
  const verdict = judgeTarget(given, { ...authority, knownOids, found: { ...none, [fact]: new Set([location]) } })
  expect(verdict).toMatchObject({ reason: null, needs: [], decided: [{ row }] })
})

test('what a role may not write is not free either', () => {
  const role = { role: 'Reviewer', session: 's' } as const
  const verdict = judgeTarget(target({}, dist), { ...authority, role, found: { ...none, isIgnored: new Set([dist]) } })
  expect(verdict).toMatchObject({ reason: { code: 'handover-role' }, needs: [], decided: [{ row: 'not-for-role' }] })
})

/** What the judgement of a whole call asks for, by a command that names a path of each kind. */
function asked(change: Partial<GateFacts>): readonly [need: string, paths: readonly string[]] | null {
  const call = callIn('echo x > a; rm b; touch c')
  const targets = [target({}, dist), target(removes, lib), target({}, outside('/tmp/a'))]
  const judged = judgeWithFacts(call, { ...factsFor(call), ...authority, targets, ...change })
  return 'need' in judged ? [judged.need, judged.of.map(it => ('path' in it.location ? it.location.path : ''))] : null
}

test('a call is asked about with all its locations at once, the cheapest fact first', () => {
  const { isTemporary, isIgnored } = none
  expect(asked({})).toEqual(['isTemporary', ['/tmp/a']])
  expect(asked({ found: { isTemporary } })).toEqual(['isIgnored', ['dist/a', 'lib/a']])
  expect(asked({ found: { isTemporary, isIgnored } })).toEqual(['isOwnNewFile', ['lib/a']])
  expect(asked({ found: none })).toBeNull()
})

test('nothing is asked where the answer changes nothing', () => {
  expect(asked({ intent: null })).toBeNull()
  expect(asked({ otherHolder: 'codex' })).toBeNull()
  expect(asked({ unavailable: 'damaged' })).toBeNull()
  const { policy } = factsFor(callIn('ls'))
  const observed = { ...policy, enforcements: { enforce: 'observe', rules: {} } } as const
  expect(asked({ policy: observed })).toBeNull()
  expect(asked({ policy: { ...observed, enforcements: { enforce: 'warn', rules: {} } } })).not.toBeNull()
})

const booleans = [false, true]
const scopes = [
  'owned',
  'outside',
  'excluded',
  'governance',
  'forbidden',
  'ignored',
  'constraint',
  'malformed',
] as const
const flags = ['isForRole', 'isOfHandover', 'mayBeFree', 'isOnlyRemoved', ...ASKED_FACTS] as const

function* worlds(): Generator<LocationFacts> {
  const elsewhere = (['git', 'worktree', 'outside', 'nowhere'] as const).map(place => ({ place, scope: null }))
  const places = [...scopes.map(scope => ({ place: 'inside', scope }) as const), ...elsewhere]
  for (const at of places)
    for (let bits = 0; bits < 2 ** flags.length; bits++) {
      const isSet = Object.fromEntries(flags.map((it, n) => [it, booleans[(bits >> n) & 1]]))
      yield { ...at, ...(isSet as Record<(typeof flags)[number], boolean>) }
    }
}

const rowOf = (facts: Partial<LocationFacts>) => firstRow<LocationFacts, TargetRow>(TARGET_ROWS, facts)

test('every row decides somewhere, and every combination of facts is decided', () => {
  const names = [...worlds()].map(it => rowOf(it) as TargetRow).map(it => it.name)
  expect([...new Set(names)].sort()).toEqual(TARGET_ROWS.map(it => it.name).sort())
})

test('nothing is asked of what is owned, or refused for every agent, and of the rest only one fact at a time', () => {
  for (const world of worlds()) {
    const known: Partial<LocationFacts> = Object.fromEntries(
      Object.entries(world).filter(([name]) => !ASKED_FACTS.some(it => it === name)),
    )
    const asked: string[] = []
    let found = rowOf(known)
    for (let facts = known; found && 'need' in found; found = rowOf(facts)) {
      asked.push(found.need)
      facts = { ...facts, [found.need]: world[found.need] }
    }
    expect(found).toBe(rowOf(world))
    const isOpen = world.scope === 'outside' || world.scope === 'excluded' || world.place === 'outside'
    if (!isOpen) expect(asked).toEqual([])
    else expect(asked).toEqual(ASKED_FACTS.filter(it => asked.includes(it)))
  }
})
