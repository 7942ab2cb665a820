import { describe, expect, test } from 'vitest'
import { readRegistry } from '../../../src/core/intents/registry.ts'

const SMALLEST = 'active_intents: [{ id: INT-001, name: refunds, status: PENDING }]'

const FULL = `# why
version: 1
active_intents:
  - id: INT-001
    name: JWT migration
    description: One paragraph.
    status: IN_PROGRESS
    owned_scope: [ "src/auth/**", "!src/auth/legacy/**" ]
    constraints: [ "DO NOT add providers" ]
    acceptance_criteria:
      - "Unit tests pass"
      - { cmd: "npm test", timeout: 300 }
    appetite: Small
    non_goals: [ sessions ]
    related_specs: [ { type: spec, url: "specs/001.md" } ]
    depends_on: [ OPS-7 ]
    created_at: 2026-11-20T10:00:00Z
    updated_at: 2026-11-20
  - { id: OPS-7, name: keys, status: COMPLETED }
`

describe('a sound registry', () => {
  test('says everything that it says', () => {
    const { intents, problems } = readRegistry(FULL)
    expect(problems).toEqual([])
    expect(intents[0]).toEqual({
      id: 'INT-001',
      name: 'JWT migration',
      description: 'One paragraph.',
      status: 'PENDING',
      owned_scope: ['src/auth/**', '!src/auth/legacy/**'],
      constraints: ['DO NOT add providers'],
      acceptance_criteria: ['Unit tests pass', { cmd: 'npm test', timeout: 300 }],
      appetite: 'Small',
      non_goals: ['sessions'],
      related_specs: [{ type: 'spec', url: 'specs/001.md' }],
      depends_on: ['OPS-7'],
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20',
    })
  })

  test('has a default for whatever it leaves out', () => {
    expect(readRegistry(SMALLEST).intents).toEqual([
      {
        id: 'INT-001',
        name: 'refunds',
        description: '',
        status: 'PENDING',
        owned_scope: [],
        constraints: [],
        acceptance_criteria: [],
        appetite: 'Batch',
        non_goals: [],
        related_specs: [],
        depends_on: [],
        created_at: null,
        updated_at: null,
      },
    ])
  })

  test.each(['active_intents: []', 'active_intents:', 'version: 1\nactive_intents: []', '\uFEFFactive_intents: []'])(
    '%j is sound and empty',
    text => expect(readRegistry(text)).toEqual({ intents: [], problems: [] }),
  )

  test('a key without a value is the same as no key', () => {
    const text = SMALLEST.replace('}', ', owned_scope: , appetite: , created_at: }')
    expect(readRegistry(text)).toEqual(readRegistry(SMALLEST))
  })
})

type Damage = { readonly what: string; readonly text: string; readonly at: string; readonly found: RegExp }

const intentWith = (line: string) => `active_intents:\n  - id: INT-001\n    name: a\n    status: PENDING\n    ${line}\n`

const DAMAGES: readonly Damage[] = [
  { what: 'an empty file', text: '', at: '-', found: /nothing/ },
  { what: 'unparsable YAML', text: 'active_intents: [', at: '1', found: /\]/ },
  { what: 'a tab', text: 'active_intents:\n\t- x', at: '2', found: /^a tab in the indentation/ },
  { what: 'a list at the top', text: '- a', at: '1', found: /\["a"\]/ },
  { what: 'two documents', text: 'active_intents: []\n---\na: 1', at: '2', found: /documents/ },
  { what: 'an unknown tag', text: 'active_intents: !set []', at: '1', found: /!set/ },
  { what: 'an unknown alias', text: 'active_intents: *a', at: '-', found: /alias/ },
  { what: 'a list that holds itself', text: 'version: 1\nactive_intents: &a [*a]', at: '2', found: /contains it/ },
  { what: 'an intent that holds itself', text: 'active_intents:\n  - &a\n    id: *a', at: '3', found: /contains it/ },
  { what: 'a duplicate key', text: intentWith('name: b'), at: '5', found: /a second `name`/ },
  { what: 'an unknown key', text: intentWith('scope: []'), at: '5', found: /unknown key `scope`/ },
  { what: 'a merge key', text: intentWith('<<: { name: b }'), at: '5', found: /unknown key `<<`/ },
  { what: 'an unknown key at the top', text: 'active_intents: []\nintents: []', at: '2', found: /`intents`/ },
  { what: 'another version', text: 'version: 2\nactive_intents: []', at: '1', found: /^2$/ },
  { what: 'a scope that is text', text: intentWith('owned_scope: "src/**"'), at: '5', found: /"src/ },
  { what: 'a scope of numbers', text: intentWith('owned_scope: [7]'), at: '5', found: /^7$/ },
  { what: 'a pattern with ..', text: intentWith('owned_scope:\n    - a\n    - ../b'), at: '7', found: /"\.\.\/b"/ },
  { what: 'an absolute pattern', text: intentWith('owned_scope: ["/etc/**"]'), at: '5', found: /etc/ },
  { what: 'a folder as a pattern', text: intentWith('owned_scope: [src/]'), at: '5', found: /"src\/"/ },
  { what: 'an unknown appetite', text: intentWith('appetite: Huge'), at: '5', found: /"Huge"/ },
  { what: 'a check without a command', text: intentWith('acceptance_criteria: [{ run: x }]'), at: '5', found: /run/ },
  {
    what: 'a timeout of nothing',
    text: intentWith('acceptance_criteria: [{ cmd: x, timeout: 0 }]'),
    at: '5',
    found: /0/,
  },
  { what: 'a time that is none', text: intentWith('created_at: yesterday'), at: '5', found: /"yesterday"/ },
  { what: 'a dependency on nothing', text: intentWith('depends_on: [INT-009]'), at: '5', found: /"INT-009"/ },
  { what: 'a dependency on itself', text: intentWith('depends_on: [INT-001]'), at: '2', found: /own depends_on/ },
  {
    what: 'an id of another form',
    text: 'active_intents: [{ id: int-1, name: a, status: PENDING }]',
    at: '1',
    found: /"int-1"/,
  },
  { what: 'no name', text: 'active_intents: [{ id: INT-1, status: PENDING }]', at: '1', found: /nothing/ },
  { what: 'an empty name', text: 'active_intents: [{ id: INT-1, name: "", status: PENDING }]', at: '1', found: /""/ },
  {
    what: 'an unknown status',
    text: 'active_intents: [{ id: INT-1, name: a, status: DONE }]',
    at: '1',
    found: /"DONE"/,
  },
  { what: 'an intent that is text', text: 'active_intents: [INT-1]', at: '1', found: /"INT-1"/ },
]

describe('a damaged registry', () => {
  test.each(DAMAGES)('$what is one problem, at its line', ({ text, at, found }) => {
    const { intents, problems } = readRegistry(text)
    expect(problems.map(it => String(it.line ?? '-'))).toEqual([at])
    expect(problems[0]?.found).toMatch(found)
    expect(intents).toEqual([])
  })

  test('tells all of its problems at once, in the order of the lines', () => {
    const text = `active_intents:
  - id: INT-001
    name: a
    status: DONE
    colour: red
    owned_scope: ["../a", "src/**"]
  - id: INT-001
    name: 7
    status: PENDING
    depends_on: [INT-404]
`
    expect(readRegistry(text).problems).toEqual([
      problem(4, 'one of PENDING, IN_PROGRESS, BLOCKED, COMPLETED, ABANDONED as `status`', '"DONE"'),
      problem(5, 'a known key of an intent', 'the unknown key `colour`'),
      problem(6, 'a glob without `..` in `owned_scope`', '"../a"'),
      problem(7, 'an id of its own, because an earlier intent is INT-001', '"INT-001"'),
      problem(8, 'text as `name`', '7'),
      problem(10, 'the id of another intent in the registry', '"INT-404"'),
    ])
  })

  test('names every intent of a circle of dependencies', () => {
    const chain = (id: string, to: string) => `{ id: ${id}, name: a, status: PENDING, depends_on: [${to}] }`
    const chains = [chain('A-1', 'A-2'), chain('A-2', 'A-3'), chain('A-3', 'A-1'), chain('A-4', 'A-1')]
    const text = `active_intents: [${chains.join(', ')}]`
    expect(readRegistry(text).problems.map(it => it.found.slice(0, 3))).toEqual(['A-1', 'A-2', 'A-3'])
  })

  test('cut at any byte it is read or refused, never thrown', () => {
    for (let end = 0; end <= FULL.length; end++) {
      const { intents, problems } = readRegistry(FULL.slice(0, end))
      if (problems.length > 0) expect(intents).toEqual([])
    }
  })

  test('aliases that multiply are refused in no time', () => {
    const levels = 'bcdefghi'
      .split('')
      .map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(', ')}]`)
    expect(readRegistry(['a: &a [x]', ...levels].join('\n')).problems.at(0)?.found).toMatch(/alias/)
  })
})

function problem(line: number, expected: string, found: string) {
  return { file: '.orchestration/active_intents.yaml', line, expected, found }
}
