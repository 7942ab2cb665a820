import { describe, expect, test } from 'vitest'
import {
  asOneList,
  splitRegistry,
  withFields,
  withIntent,
  withoutLiveStatuses,
  withStatus,
} from '../../../src/core/intents/edit-yaml.ts'
import { registryParts } from '../../../src/core/intents/registry-text.ts'
import { readRegistry } from '../../../src/core/intents/registry.ts'

const AT = '2026-11-21T08:00:00.000Z'

const TEXT = `# the intents of this repository
version: 1
active_intents:   # newest last
- id: INT-001   # auth
  name: "JWT"
  status:  PENDING    # soon
  owned_scope: ["src/auth/**", '!src/auth/legacy/**']
  updated_at: 2026-11-20T10:00:00Z

# payments
- {id: INT-002, name: pay, status: "IN_PROGRESS", updated_at: 2026-11-20}
# the end
`

describe('a change of status', () => {
  test('changes the status, and not one byte more', () => {
    expect(withStatus(TEXT, 'INT-001', 'BLOCKED')).toBe(TEXT.replace('PENDING', 'BLOCKED'))
    expect(withStatus(TEXT, 'INT-002', 'BLOCKED')).toBe(TEXT.replace('"IN_PROGRESS"', 'BLOCKED'))
  })

  test.each([
    {
      what: 'a handwritten intent',
      text: 'active_intents:\n  # mine\n  - id: INT-001\n    name: a\n    status: PENDING # why\n',
    },
    {
      what: 'a folded status',
      text: 'active_intents:\n  # mine\n  - id: INT-001\n    name: a # why\n    status: >-\n      PENDING\n',
    },
    { what: 'one line', text: '# mine # why\nactive_intents: [{ id: INT-001, name: a, status: PENDING }]\n' },
  ])('of $what keeps every comment', ({ text }) => {
    const after = withStatus(text, 'INT-001', 'BLOCKED')
    expect(readRegistry(after).intents[0]).toMatchObject({ status: 'BLOCKED', updated_at: null, name: 'a' })
    for (const comment of ['# mine', '# why']) expect(after).toContain(comment)
  })

  test('keeps CRLF', () => {
    const after = withStatus(TEXT.replaceAll('\n', '\r\n'), 'INT-001', 'BLOCKED')
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    expect(readRegistry(after).intents[0]?.status).toBe('BLOCKED')
  })
})

describe('live statuses of an earlier kotef', () => {
  test('become PENDING, and not one byte more changes', () => {
    expect(withoutLiveStatuses(TEXT)).toBe(TEXT.replace('"IN_PROGRESS"', 'PENDING'))
    expect(readRegistry(TEXT).intents.map(it => it.status)).toEqual(['PENDING', 'PENDING'])
  })

  test('in another field stay', () => {
    const text = TEXT.replace('"IN_PROGRESS"', 'BLOCKED').replace('"JWT"', 'IN_PROGRESS')
    expect(withoutLiveStatuses(text)).toBe(text)
  })
})

describe('an edit of fields', () => {
  test('keeps comments, order, style of lists, and every other intent', () => {
    const after = withFields(TEXT, 'INT-001', { owned_scope: ['src/**'], name: 'a: b' })
    expect(after).toContain('owned_scope: [src/**]')
    for (const comment of ['# the intents', '# newest last', '# auth', '# soon', '# payments', '# the end']) {
      expect(after).toContain(comment)
    }
    expect(after.indexOf('# auth')).toBeLessThan(after.indexOf('# payments'))
    const [first, second] = readRegistry(after).intents
    expect(first).toMatchObject({ name: 'a: b', owned_scope: ['src/**'], status: 'PENDING' })
    expect(second).toEqual(readRegistry(TEXT).intents[1])
  })

  test('keeps the comments on the items of a list that stay', () => {
    const text =
      'active_intents:\n- id: INT-001\n  name: a # why\n  status: PENDING\n  owned_scope:\n  - a # first\n  - "b"\n'
    const after = withFields(text, 'INT-001', { owned_scope: ['a', 'c'], name: 'z' })
    expect(after).toContain('name: z # why\n  status: PENDING\n  owned_scope:\n  - a # first\n  - c\n')
  })

  test('never folds a long line', () => {
    const name = 'word '.repeat(60).trim()
    expect(withFields(TEXT, 'INT-001', { name })).toContain(name)
  })

  test.each([
    'yes',
    '1',
    'null',
    '- a',
    '# a',
    'a: b',
    '"',
    "it's",
    '!x',
    '*',
    '&a',
    'a\nb',
    ' a ',
    '\u00e9\u{1F600}',
    '<<',
  ])('brings %j back as it was given', name => {
    const after = withFields(TEXT, 'INT-001', { name, constraints: [name] })
    expect(readRegistry(after)).toMatchObject({ problems: [], intents: [{ name, constraints: [name] }, {}] })
  })
})

describe('a new intent', () => {
  const intent = { id: 'INT-003', name: 'new', status: 'PENDING', created_at: AT } as const

  test.each([
    'active_intents: []\n',
    'version: 1\n# an example\nactive_intents:\n# the end\n',
    TEXT,
    TEXT.replaceAll('\n', '\r\n'),
  ])('stands at the end of %j, and what was there stays', text => {
    const after = withIntent(text, { ...intent, owned_scope: ['src/**', '!src/x'], constraints: [] })
    const { intents, problems } = readRegistry(after)
    expect(problems).toEqual([])
    expect(intents.slice(0, -1)).toEqual(readRegistry(text).intents)
    expect(intents.at(-1)).toMatchObject({ ...intent, owned_scope: ['src/**', '!src/x'] })
    for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment.trimEnd())
  })

  test('is written in the order of the documentation, without empty fields', () => {
    const after = withIntent('active_intents: []\n', {
      ...intent,
      constraints: [],
      description: '',
      owned_scope: ['a'],
    })
    expect(after).toBe(
      [
        'active_intents:',
        '  - id: INT-003',
        '    name: new',
        '    status: PENDING',
        '    owned_scope:',
        '      - a',
        `    created_at: ${AT}\n`,
      ].join('\n'),
    )
  })
})

test('an added intent leaves the lines of the others as a person wrote them (team P8)', () => {
  const text =
    'active_intents:\n  - id: INT-001\n    name: "a"\n    owned_scope: ["src/**", \'b\']\n' +
    '    acceptance_criteria: [{ cmd: "x" }, {cmd: y}]   # mixed\n'
  const intent = { id: 'INT-002', name: 'b', status: 'PENDING', created_at: AT } as const
  expect(withIntent(text, intent)).toBe(
    `${text}  - id: INT-002\n    name: b\n    status: PENDING\n    created_at: ${AT}\n`,
  )
})

test('a registry of files is edited in the file of the intent, and printed as one list', () => {
  const whole = splitRegistry(TEXT)
  const paths = registryParts(whole).map(it => it.path)
  expect(paths.slice(1)).toEqual(['.orchestration/intents/INT-001.yaml', '.orchestration/intents/INT-002.yaml'])
  const after = withStatus(whole, 'INT-002', 'BLOCKED')
  expect(registryParts(after).slice(0, 2)).toEqual(registryParts(whole).slice(0, 2))
  expect(readRegistry(asOneList(after)).intents).toEqual(readRegistry(after).intents)
  expect(readRegistry(whole).intents).toEqual(readRegistry(TEXT).intents)
})
