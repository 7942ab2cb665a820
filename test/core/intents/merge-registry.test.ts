import { describe, expect, test } from 'vitest'
import { mergeRegistryFile, type RegistryMergeOptions } from '../../../src/core/intents/merge-registry.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'
import { REGISTRY_PATH } from '../../../src/core/base/governance-files.ts'

const BASE = `version: 1
active_intents:
  # auth, since spring
  - id: INT-001 # mine
    name: work
    status: PENDING
    owned_scope: ["src/**"]
    # ask first
    constraints:
      - no new packages # ever
  - { id: INT-002, name: docs, owned_scope: ["docs/**"] }
# the end
`
const OPTIONS: RegistryMergeOptions = { path: REGISTRY_PATH, plain: null, markerSize: 7 }

function merged(ours: string, theirs: string, base = BASE, options = OPTIONS) {
  return mergeRegistryFile({ base, ours, theirs }, options)
}

const swap = (from: string | RegExp, to: string) => BASE.replace(from, to)
const add = (id: string, name: string, text = BASE) =>
  text.replace('# the end', `  - id: ${id}\n    name: ${name}\n    created_at: 2026-11-2${name.length}\n# the end`)

describe('a merge of the registry', () => {
  test('keeps the intents that both sides add, ours first (team S6)', () => {
    const both = add('INT-004', 'theirs', add('INT-003', 'our'))
    expect(merged(add('INT-003', 'our'), add('INT-004', 'theirs'))).toEqual({ text: both, conflicts: [] })
  })

  test('merges fields of one intent, and keeps comments, order and style (team S6)', () => {
    const ours = swap('status: PENDING', 'status: BLOCKED').replace('["src/**"]', '["src/**", "lib/**"]')
    const theirs = swap('["src/**"]', '["app/**"] # moved').replace('# ask first', '# ask Ann').replace('docs/', 'doc/')
    const wanted = ours
      .replace('["src/**", "lib/**"]', '["lib/**", "app/**"]')
      .replace('# ask first', '# ask Ann')
      .replace('docs/', 'doc/')
    expect(merged(ours, theirs)).toEqual({ text: wanted, conflicts: [] })
  })

  test.each([
    [
      'two decisions',
      'status: PENDING',
      'status: BLOCKED',
      'status: COMPLETED',
      'both sides changed status of INT-001',
    ],
    ['two names', 'name: work', 'name: a', 'name: b', 'both sides changed name of INT-001'],
  ])('leaves %s to a person, between markers around that field', (_, field, one, other, why) => {
    const [ours, theirs] = [swap(field, one), swap(field, other).replace('"src/**"', '"app/**"')]
    const marked = `    <<<<<<< ours: ${why}\n    ${one}\n    =======\n    ${other}\n    >>>>>>> theirs`
    const text = swap('"src/**"', '"app/**"').replace(`    ${field}`, marked.replace(/^ {4}(?=[<=>]{7})/gm, ''))
    expect(merged(ours, theirs)).toEqual({ text, conflicts: [why] })
  })

  test('says that an id has two meanings, and shows both intents (solo A4)', () => {
    const found = merged(add('INT-003', 'our'), add('INT-003', 'theirs'))
    expect(found?.conflicts).toEqual([
      'INT-003 has two meanings; abort, and give one of them another id: `kotef intent renumber INT-003 --commit`',
    ])
    expect(found?.text).toContain('name: our\n    created_at: 2026-11-23\n=======\n    name: theirs\n')
  })

  test('an intent that one side removed and the other changed is for a person', () => {
    const without = swap(/ {2}- \{.*\n/, '')
    expect(merged(without, swap('docs/', 'doc/'))?.conflicts).toEqual([
      'one side removed INT-002, the other changed it',
    ])
    expect(merged(without, swap('work', 'more'))).toMatchObject({
      conflicts: [],
      text: without.replace('work', 'more'),
    })
  })

  test('a picked intent is one intent, and the newest time of a hand counts', () => {
    const ours = `${add('INT-003', 'one')}`.replace('# the end', '    updated_at: 2026-11-27\n# the end')
    const theirs = ours.replace('11-27', '11-28').replace('    name: one', '    name: one\n    constraints: [ slow ]')
    expect(merged(ours, theirs)?.text).toBe(theirs)
  })

  test('an open intent that an earlier kotef wrote as IN_PROGRESS is no decision (solo A5)', () => {
    const [ours, theirs] = ['IN_PROGRESS', 'COMPLETED'].map(it => swap('PENDING', it))
    expect(merged(ours as string, theirs as string)?.text).toBe(theirs)
  })

  test('the first intents of an empty list are kept, with Windows line ends too', () => {
    const base = 'version: 1\r\nactive_intents: []\r\n'
    const first = (id: string) => `version: 1\r\nactive_intents:\r\n  - { id: ${id}, name: ${id} }\r\n`
    const found = merged(first('A-1'), first('B-1'), base)
    expect(found?.text).toBe(`${first('A-1')}  - { id: B-1, name: B-1 }\r\n`)
  })

  test("git's own merge of the lines wins where it means the same", () => {
    const both = add('INT-003', 'our', add('INT-004', 'theirs'))
    const options = { ...OPTIONS, plain: both }
    expect(merged(add('INT-003', 'our'), add('INT-004', 'theirs'), BASE, options)?.text).toBe(both)
    const wrong = { ...OPTIONS, plain: BASE }
    expect(merged(add('INT-003', 'our'), add('INT-004', 'theirs'), BASE, wrong)?.text).not.toBe(BASE)
  })

  test.each([
    ['with a damaged version', 'active_intents: [', swap('work', 'x')],
    ['with an id twice', add('INT-001', 'again'), swap('work', 'x')],
    [
      'of intents that share a line',
      'active_intents: [{ id: A-1, name: x }, { id: B-1, name: y }]\n',
      swap('work', 'x'),
    ],
    ['of intents with anchors', swap('- {', '- &a {'), swap('work', 'x')],
  ])('%s it is left to git', (_, ours, theirs) => {
    expect(merged(ours, theirs)).toBe(null)
  })

  test('an intent in a file of its own is merged in the same way', () => {
    const path = '.orchestration/intents/INT-001.yaml'
    const base = '# auth\nid: INT-001\nname: work\nstatus: PENDING\nowned_scope:\n  - src/**\n'
    const [ours, theirs] = [base.replace('PENDING', 'BLOCKED'), base.replace('  - src/**', '  - src/**\n  - lib/**')]
    const text = theirs.replace('PENDING', 'BLOCKED')
    expect(merged(ours, theirs, base, { ...OPTIONS, path })).toEqual({ text, conflicts: [] })
  })
})

describe('for any two edits of a registry', () => {
  const rounds = Array.from({ length: 100 }, (_, n) => n + 1)

  test('a merge means the same from both sides, and merging again changes nothing', () => {
    for (const seed of rounds) {
      const next = random(seed)
      const [ours, theirs] = [edited(BASE, next), edited(BASE, next)]
      const [one, other] = [merged(ours, theirs), merged(theirs, ours)]
      const where = `seed ${seed}\n${ours}\n${theirs}`
      expect(other?.conflicts.length, where).toBe(one?.conflicts.length)
      if (!one || !other || one.conflicts.length > 0) continue
      expect(meaning(other.text), where).toEqual(meaning(one.text))
      expect(merged(one.text, theirs)?.text, where).toBe(one.text)
      expect(merged(one.text, theirs, theirs), where).toEqual(one)
      expect(merged(ours, one.text, ours), where).toEqual(one)
    }
  })

  test('a side that changed nothing gives the other side byte for byte', () => {
    for (const seed of rounds) {
      const theirs = edited(BASE, random(seed))
      expect(merged(BASE, theirs)).toEqual({ text: theirs, conflicts: [] })
      expect(merged(theirs, BASE)).toEqual({ text: theirs, conflicts: [] })
      expect(merged(theirs, theirs)).toEqual({ text: theirs, conflicts: [] })
    }
  })
})

function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return below => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state >>> 8) & 0xffff) % below
  }
}

function edited(text: string, next: (below: number) => number): string {
  const n = next(4)
  const edits: ((it: string) => string)[] = [
    it => it.replace('name: work', `name: work${n}`),
    it => it.replace('PENDING', ['BLOCKED', 'COMPLETED', 'ABANDONED', 'PENDING'][n] ?? ''),
    it => it.replace('"src/**"', `"src/**", "lib${n}/**"`),
    it => it.replace('"src/**"', `"app${n}/**"`),
    it => it.replace('"docs/**"', `"docs/**", "site${n}/**"`),
    it => it.replace('      - no new', `      - only ${n}\n      - no new`),
    it => it.replace('# ask first', `# ask ${n}`),
    it => it.replace(/ {2}- \{.*\n/, ''),
    it => add(`INT-01${n}`, 'name'.repeat(1 + (n % 2)), it),
    it => it.replace('    status', `    depends_on: [INT-00${2}]\n    status`),
    it => it.replace('# auth', `# ${n}`),
  ]
  const count = 1 + next(3)
  return Array.from({ length: count }, () => edits[next(edits.length)]).reduce((it, edit) => edit?.(it) ?? it, text)
}

// Lists of an intent have no order.
function meaning(text: string): unknown {
  const { intents, problems } = readRegistry(text)
  const unordered = (value: unknown) => (Array.isArray(value) ? value.map(it => JSON.stringify(it)).sort() : value)
  const fields = intents.map(it =>
    Object.fromEntries(Object.entries(it).map(([key, value]) => [key, unordered(value)])),
  )
  return { fields: fields.sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)), problems: problems.length }
}
